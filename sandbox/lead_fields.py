"""The fields of the sandbox's modules, as data: those of a new organisation, and the custom ones this site needs.

Independent of the product on purpose: the product's own list of fields (`FieldSpec`) is checked against this one,
which follows Zoho's field metadata for Leads (v7 and v8 documentation). Rules are in `fields` and `validation`.
"""

from typing import Final, NamedTuple


class SandboxField(NamedTuple):
    """One field. `length` counts characters (digits for numbers); `choices` are a picklist's first values."""

    api_name: str
    data_type: str
    length: int
    label: str = ""
    mandatory: bool = False
    unique: bool = False
    read_only: bool = False
    choices: tuple[str, ...] = ()
    lookup: str = ""
    custom: bool = False


EVENT_ID_FIELD: Final = "Website_Event_ID"
"""The unique custom field that holds the sender's own event id; `duplicate_event_ids` is counted on it."""

SINGLE_LINE: Final = 255
SMALL_TEXT: Final = 2_000
LARGE_TEXT: Final = 32_000

STANDARD: Final = (
    SandboxField("Owner", "ownerlookup", 120, "Lead Owner"),
    SandboxField("Company", "text", 200),
    SandboxField("Salutation", "picklist", 25, choices=("-None-", "Mr.", "Mrs.", "Ms.", "Dr.", "Prof.")),
    SandboxField("First_Name", "text", 40),
    SandboxField("Last_Name", "text", 80, mandatory=True),
    SandboxField("Full_Name", "text", 120, read_only=True),
    SandboxField("Designation", "text", 100, "Title"),
    SandboxField("Email", "email", 100),
    SandboxField("Secondary_Email", "email", 100),
    SandboxField("Phone", "phone", 30),
    SandboxField("Mobile", "phone", 30),
    SandboxField("Fax", "text", 30),
    SandboxField("Website", "website", 255),
    SandboxField(
        "Lead_Source",
        "picklist",
        120,
        choices=(
            "-None-",
            "Advertisement",
            "Cold Call",
            "External Referral",
            "Online Store",
            "Website",
            "WhatsApp",
        ),
    ),
    SandboxField(
        "Lead_Status",
        "picklist",
        120,
        choices=(
            "-None-",
            "Attempted to Contact",
            "Contact in Future",
            "Contacted",
            "Junk Lead",
            "Lost Lead",
            "Not Contacted",
            "Pre-Qualified",
            "Not Qualified",
        ),
    ),
    SandboxField("Industry", "picklist", 120, choices=("-None-", "Healthcare", "Other")),
    SandboxField("Rating", "picklist", 120, choices=("-None-", "Acquired", "Active", "Market Failed")),
    SandboxField("No_of_Employees", "integer", 9, "No. of Employees"),
    SandboxField("Annual_Revenue", "currency", 16),
    SandboxField("Email_Opt_Out", "boolean", 5),
    SandboxField("Skype_ID", "text", 50),
    SandboxField("Twitter", "text", 50),
    SandboxField("Street", "text", 250),
    SandboxField("City", "text", 100),
    SandboxField("State", "text", 100),
    SandboxField("Zip_Code", "text", 30),
    SandboxField("Country", "text", 100),
    SandboxField("Description", "textarea", LARGE_TEXT),
    SandboxField("Tag", "text", SMALL_TEXT),
    SandboxField("Layout", "layout", 0),
    SandboxField("Converted_Account", "lookup", 0, lookup="Accounts", read_only=True),
    SandboxField("Converted_Contact", "lookup", 0, lookup="Contacts", read_only=True),
    SandboxField("Converted_Deal", "lookup", 0, lookup="Deals", read_only=True),
    SandboxField("Created_By", "ownerlookup", 120, read_only=True),
    SandboxField("Modified_By", "ownerlookup", 120, read_only=True),
    SandboxField("Created_Time", "datetime", 120, read_only=True),
    SandboxField("Modified_Time", "datetime", 120, read_only=True),
)


def _custom(api_name: str, data_type: str = "text", length: int = SINGLE_LINE) -> SandboxField:
    return SandboxField(api_name, data_type, length, custom=True, unique=api_name == EVENT_ID_FIELD)


CUSTOM: Final = (
    _custom(EVENT_ID_FIELD, length=100),
    _custom("Website_Reference"),
    _custom("Google_Campaign"),
    _custom("Google_Ad_Group"),
    _custom("Google_Keyword"),
    _custom("Google_Ad"),
    _custom("Google_Click_ID"),
    _custom("UTM_Source"),
    _custom("UTM_Medium"),
    _custom("UTM_Content"),
    _custom("UTM_Term"),
    _custom("Match_Type"),
    _custom("Ad_Network_Name"),
    _custom("Ad_Device"),
    _custom("GBRAID"),
    _custom("WBRAID"),
    _custom("Facebook_Click_ID"),
    _custom("Microsoft_Click_ID"),
    _custom("Ads_Timestamp"),
    _custom("Browser_Event_ID"),
    _custom("Session_ID"),
    _custom("Page_URL", "textarea", SMALL_TEXT),
    _custom("Landing_URL", "textarea", SMALL_TEXT),
    _custom("Page_Referrer", "textarea", SMALL_TEXT),
    _custom("Browser"),
    _custom("Operating_System"),
    _custom("Device_Class"),
    _custom("Screen_Resolution"),
    _custom("Time_Zone"),
    _custom("Visitor_Language"),
    _custom("First_Campaign"),
    _custom("First_Ad_Group"),
    _custom("First_Keyword"),
    _custom("First_Ad"),
    _custom("First_Google_Click_ID"),
    _custom("First_UTM_Source"),
    _custom("First_UTM_Medium"),
    _custom("First_Touch_At"),
    _custom("First_Landing_URL", "textarea", SMALL_TEXT),
    _custom("First_Referrer", "textarea", SMALL_TEXT),
    _custom("Consent_Version"),
    _custom("Consent_Choice"),
    _custom("Consent_At", "datetime", 120),
    _custom("Marketing_Opt_In", "boolean", 5),
    _custom("WhatsApp_Link", "website", 255),
    _custom("WhatsApp_Code"),
    _custom("Button_Location"),
    _custom("Analytics_Click_ID"),
    _custom("Submitted_At", "datetime", 120),
    _custom("Call_From", "datetime", 120),
    _custom("Call_Time"),
    _custom("Treatment_Interest"),
    _custom("Already_Has"),
    _custom("Visitor_Said"),
    _custom("Enquiry_Page"),
    _custom("Repeat_Enquiry", "boolean", 5),
    _custom("Earlier_Enquiry_At", "datetime", 120),
    _custom("Same_Visit"),
)

OTHER_MODULES: Final[dict[str, tuple[SandboxField, ...]]] = {
    "Contacts": (SandboxField("Last_Name", "text", 80, mandatory=True), SandboxField("Email", "email", 100)),
    "Accounts": (SandboxField("Account_Name", "text", 200, mandatory=True),),
    "Deals": (SandboxField("Deal_Name", "text", 120, mandatory=True),),
    "Notes": (
        SandboxField("Note_Title", "text", 120),
        SandboxField("Note_Content", "textarea", LARGE_TEXT, mandatory=True),
    ),
}
"""Modules that Zoho's SDK queries before Leads; the sandbox stores no records of them, except a lead's Notes."""
