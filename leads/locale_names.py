"""English names of countries and languages, as CLDR has them (Babel)."""

from babel import Locale

_UNKNOWN = "ZZ"  # CLDR has a name for it


def country_name(iso: str) -> str | None:
    """The English name of a two-letter code, in any case; None for an unknown code."""
    code = iso.strip().upper()
    return None if code == _UNKNOWN else Locale("en").territories.get(code)


def language_name(tag: str) -> str:
    """Return a language tag in words ("en-GB": "English (United Kingdom)"); what is unknown stays as it is."""
    code, *parts = tag.split("-")
    language = Locale("en").languages.get(code.lower())
    country = next((name for part in parts if len(part) == 2 and (name := country_name(part))), None)  # noqa: PLR2004
    return tag if language is None else f"{language} ({country})" if country else language
