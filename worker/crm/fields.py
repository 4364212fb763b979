"""The CRM field for each column of ours: the defaults, ZOHO_FIELD_MAP, and the custom fields that the CRM needs.

Pure data and its parsing. mapping.py cleans and truncates the values.
"""

import re
from collections.abc import Mapping

from leads.settings import Settings
from worker.crm.port import EVENT_ID_FIELD, CustomField

TEXT_LENGTH = 255  # single line; Zoho CRM API v7: Insert Records
EVENT_ID_LENGTH = 100  # a UUID takes 36
URL_LENGTH = 2000  # multi-line, small; same page

Fields = Mapping[str, str]  # our columns to API names, "" for not sent

# A column that has this for its field is a line of the description, with its label.
IN_DESCRIPTION = "Description"
# Our columns -> API names. "browser" is name and version together, "first_…" a part of first_touch;
# whatsapp_url, call_time, visitor_said (what was added after sending), page, repeat_enquiry, earlier_enquiry_at,
# earlier_enquiry (its reference and link) and same_visit are computed when a row is sent. "" is not sent unless
# ZOHO_FIELD_MAP names one.
DEFAULT_FIELDS: dict[str, str] = {
    "reference": "Website_Reference",
    "created_at": "Submitted_At",
    "call_from": "Call_From",
    "call_time": "Call_Time",
    "interest": "Treatment_Interest",
    "already_has": "Already_Has",
    "visitor_said": "",
    "google_campaign": "Google_Campaign",
    "google_adgroup": "Google_Ad_Group",
    "google_keyword": "Google_Keyword",
    "google_ad": "Google_Ad",
    "google_gclid": "Google_Click_ID",
    "utm_source": "UTM_Source",
    "utm_medium": "UTM_Medium",
    "utm_content": "UTM_Content",
    "utm_term": "UTM_Term",
    "google_matchtype": "Match_Type",
    "google_network": "Ad_Network_Name",
    "google_device": "Ad_Device",
    "gbraid": "GBRAID",
    "wbraid": "WBRAID",
    "fbclid": "Facebook_Click_ID",
    "msclkid": "Microsoft_Click_ID",
    "ads_timestamp": "Ads_Timestamp",
    "event_id": "Browser_Event_ID",
    "session_id": "Session_ID",
    "page": "Enquiry_Page",
    "current_url": "Page_URL",
    "landing_url": "Landing_URL",
    "referrer": "Page_Referrer",
    "browser": "Browser",
    "operating_system": "Operating_System",
    "device_type": "Device_Class",
    "screen_resolution": "Screen_Resolution",
    "timezone": "Time_Zone",
    "language": "Visitor_Language",
    "first_google_campaign": "First_Campaign",
    "first_google_adgroup": "First_Ad_Group",
    "first_google_keyword": "First_Keyword",
    "first_google_ad": "First_Ad",
    "first_google_gclid": "First_Google_Click_ID",
    "first_utm_source": "First_UTM_Source",
    "first_utm_medium": "First_UTM_Medium",
    **dict.fromkeys(("first_utm_content", "first_utm_term", "first_google_matchtype", "first_google_network"), ""),
    **dict.fromkeys(("first_google_device", "first_gbraid", "first_wbraid", "first_fbclid", "first_msclkid"), ""),
    "first_ads_timestamp": "First_Touch_At",
    "first_landing_url": "First_Landing_URL",
    "first_referrer": "First_Referrer",
    "consent_version": "Consent_Version",
    "consent_choice": "Consent_Choice",
    "consent_at": "Consent_At",
    "marketing_opt_in": "Marketing_Opt_In",
    "repeat_enquiry": "Repeat_Enquiry",
    "earlier_enquiry_at": "Earlier_Enquiry_At",
    "earlier_enquiry": IN_DESCRIPTION,
    "whatsapp_url": "WhatsApp_Link",
    "same_visit": "Same_Visit",
    "unique_code": "WhatsApp_Code",
    "button_location": "Button_Location",
    "analytics_click_id": "Analytics_Click_ID",
    "user_agent": "",
    "ip_address": "",
}
_KEPT = (
    *("reference", "google_campaign", "google_keyword", "google_gclid", "utm_source"),
    *("marketing_opt_in", "repeat_enquiry"),
)
_DESCRIBED = (
    *("whatsapp_url", "created_at", "call_time", "page", "current_url", "timezone", "language"),
    *("earlier_enquiry_at", "earlier_enquiry", "same_visit", "button_location"),
)
# With the event id nine custom fields, for editions that allow ten. What sales staff use beside them is described,
# but for what visitors add later: staff may have written into the description meanwhile.
ESSENTIAL_FIELDS: dict[str, str] = (
    dict.fromkeys(DEFAULT_FIELDS, "")
    | {column: DEFAULT_FIELDS[column] for column in _KEPT}
    | {"visitor_said": "Visitor_Said"}
    | dict.fromkeys(_DESCRIBED, IN_DESCRIPTION)
)
# What a visitor adds after sending.
ADDED = ("call_from", "call_time", "interest", "already_has", "visitor_said")
FIELD_SETS = {"all": DEFAULT_FIELDS, "essential": ESSENTIAL_FIELDS}
MOMENTS = frozenset({"created_at", "call_from", "earlier_enquiry_at", "consent_at"})
FLAGS = frozenset({"repeat_enquiry", "marketing_opt_in"})
URLS = frozenset({"current_url", "landing_url", "referrer", "user_agent", "first_landing_url", "first_referrer"})
LINKS = frozenset({"whatsapp_url"})
SOURCE, LEAD_SOURCE, CLICK_SOURCE = "Lead_Source", "Website", "WhatsApp"
FIRST_TOUCH_PREFIX = "first_"  # the rest is a key of the column first_touch

# Fields that mapping.py fills itself, or that belong to the sales staff.
_RESERVED = (
    *("Last_Name", "First_Name", "Email", "Phone", "Country", "Lead_Source"),
    *("Lead_Status", "Owner", "Layout", "id"),
)
_API_NAME = re.compile(r"\$?[A-Za-z][A-Za-z0-9_]{0,99}", re.ASCII)


def parse_fields(text: str, defaults: Mapping[str, str]) -> dict[str, str]:
    """Apply "google_campaign=My_Field,utm_source=" to the defaults; a column with nothing after = is not sent.

    The ValueError lists every entry that is not a column of ours, not an API name, reserved, or used twice.
    """
    fields = dict(defaults)
    problems: list[str] = []
    for entry in (part.strip() for part in text.split(",")):
        if not entry:
            continue
        column, equals, name = (part.strip() for part in entry.partition("="))
        if problem := _problem(column, equals, name):
            problems.append(f"{entry!r}: {problem}")
        else:
            fields[column] = name
    used = [name for name in fields.values() if name and name != IN_DESCRIPTION]
    problems.extend(f"{name} is used twice" for name in sorted({n for n in used if used.count(n) > 1}))
    if problems:
        raise ValueError("; ".join(problems))
    return fields


def fields_of(settings: Settings) -> Fields:
    """The mapping for these settings; `ValueError` lists the problems of ZOHO_FIELD_MAP."""
    return parse_fields(settings.zoho_field_map, FIELD_SETS[settings.zoho_fields])


def custom_fields(fields: Fields) -> tuple[CustomField, ...]:
    """The custom fields that the CRM's Leads module must have for this mapping; the event id's is first."""
    specs = [CustomField(EVENT_ID_FIELD, _words(EVENT_ID_FIELD), "text", EVENT_ID_LENGTH, unique=True)]
    for column, name in fields.items():
        # "$gclid" and similar names are keys of the API, not fields
        if name and name != IN_DESCRIPTION and not name.startswith("$"):
            data_type, length = _kind_of(column)
            specs.append(CustomField(name, _words(name), data_type, length, holds=f"the {_words(column)}"))
    return tuple(specs)


def needed_fields(fields: Fields) -> tuple[CustomField, ...]:
    """What the module must have for this mapping: the custom fields, and the choices of the source."""
    choices = (LEAD_SOURCE, CLICK_SOURCE)
    source = CustomField(SOURCE, _words(SOURCE), "picklist", 0, holds="the source", choices=choices)
    return (*custom_fields(fields), source)


def _kind_of(column: str) -> tuple[str, int]:
    if column in MOMENTS:
        return "datetime", 0
    if column in FLAGS:
        return "boolean", 0
    if column in LINKS:
        return "website", TEXT_LENGTH
    return ("textarea", URL_LENGTH) if column in URLS else ("text", TEXT_LENGTH)


def label_of(column: str) -> str:
    """What a value is called where it stands in Description: "Page URL"."""
    name = DEFAULT_FIELDS[column]
    return _words(column.capitalize() if name in ("", IN_DESCRIPTION) else name)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _problem(column: str, equals: str, name: str) -> str:
    if column not in DEFAULT_FIELDS:
        return f"unknown column, use one of {', '.join(DEFAULT_FIELDS)}"
    if not equals:
        return "has no ="
    if name and not _API_NAME.fullmatch(name):
        return "not an API name"
    return f"{name} is reserved" if name in _RESERVED else ""
