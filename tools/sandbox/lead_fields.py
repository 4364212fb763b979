"""The fields of Leads, as data: what a new organisation has (a part of it), and the custom ones this site needs.

Independent of the product on purpose: the product's own list of fields (`FieldSpec`) is checked against this one,
which follows Zoho's field metadata for Leads (v7 and v8 documentation). What fits a field is in `fields`.
"""

from typing import Final, NamedTuple


class SandboxField(NamedTuple):
    """One field. `length` counts characters; `choices` are a picklist's first values."""

    api_name: str
    data_type: str
    length: int
    label: str = ""
    mandatory: bool = False
    unique: bool = False
    read_only: bool = False
    choices: tuple[str, ...] = ()
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
    SandboxField("Email", "email", 100),
    SandboxField("Phone", "phone", 30),
    SandboxField("Mobile", "phone", 30),
    SandboxField(
        "Lead_Source",
        "picklist",
        120,
        choices=("-None-", "Advertisement", "Cold Call", "External Referral", "Website", "WhatsApp"),
    ),
    SandboxField(
        "Lead_Status",
        "picklist",
        120,
        choices=("-None-", "Attempted to Contact", "Contacted", "Junk Lead", "Lost Lead", "Not Contacted"),
    ),
    SandboxField("Email_Opt_Out", "boolean", 5),
    SandboxField("City", "text", 100),
    SandboxField("Country", "text", 100),
    SandboxField("Description", "textarea", LARGE_TEXT),
    SandboxField("Tag", "text", SMALL_TEXT),
    SandboxField("Layout", "layout", 0),
    SandboxField("Created_By", "ownerlookup", 120, read_only=True),
    SandboxField("Modified_By", "ownerlookup", 120, read_only=True),
    SandboxField("Created_Time", "datetime", 120, read_only=True),
    SandboxField("Modified_Time", "datetime", 120, read_only=True),
)


_TEXTS: Final = """
    Website_Reference Google_Campaign Google_Ad_Group Google_Keyword Google_Ad Google_Click_ID
    UTM_Source UTM_Medium UTM_Content UTM_Term Match_Type Ad_Network_Name Ad_Device GBRAID WBRAID
    Facebook_Click_ID Microsoft_Click_ID Ads_Timestamp Browser_Event_ID Session_ID Browser
    Operating_System Device_Class Screen_Resolution Time_Zone Visitor_Language First_Campaign
    First_Ad_Group First_Keyword First_Ad First_Google_Click_ID First_UTM_Source First_UTM_Medium
    First_Touch_At Consent_Version Consent_Choice WhatsApp_Code Button_Location Analytics_Click_ID
    Call_Time Treatment_Interest Already_Has Visitor_Said Enquiry_Page Same_Visit
"""
_LONG: Final = "Page_URL Landing_URL Page_Referrer First_Landing_URL First_Referrer"
_TIMES: Final = "Consent_At Submitted_At Call_From Earlier_Enquiry_At"
_SWITCHES: Final = "Marketing_Opt_In Repeat_Enquiry"
CUSTOM: Final = (
    SandboxField(EVENT_ID_FIELD, "text", 100, custom=True, unique=True),
    *(SandboxField(name, "text", SINGLE_LINE, custom=True) for name in _TEXTS.split()),
    *(SandboxField(name, "textarea", SMALL_TEXT, custom=True) for name in _LONG.split()),
    *(SandboxField(name, "datetime", 120, custom=True) for name in _TIMES.split()),
    *(SandboxField(name, "boolean", 5, custom=True) for name in _SWITCHES.split()),
    SandboxField("WhatsApp_Link", "website", 255, custom=True),
)
