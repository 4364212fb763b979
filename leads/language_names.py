"""English names of languages by ISO 639-1 code, as CLDR has them, for browsers' language tags."""

from __future__ import annotations

from functools import cache

from leads.country_names import country_name

_NAMES = (
    "af Afrikaans|am Amharic|ar Arabic|az Azerbaijani|be Belarusian|bg Bulgarian|bn Bangla|bs Bosnian|ca Catalan|"
    "cs Czech|cy Welsh|da Danish|de German|el Greek|en English|es Spanish|et Estonian|eu Basque|fa Persian|"
    "fi Finnish|fil Filipino|fr French|ga Irish|gd Scottish Gaelic|gl Galician|gu Gujarati|ha Hausa|he Hebrew|"
    "hi Hindi|hr Croatian|hu Hungarian|hy Armenian|id Indonesian|is Icelandic|it Italian|ja Japanese|ka Georgian|"
    "kk Kazakh|km Khmer|kn Kannada|ko Korean|ku Kurdish|ky Kyrgyz|lb Luxembourgish|lt Lithuanian|lv Latvian|"
    "mk Macedonian|ml Malayalam|mn Mongolian|mr Marathi|ms Malay|mt Maltese|my Burmese|nb Norwegian Bokmål|"
    "ne Nepali|nl Dutch|nn Norwegian Nynorsk|no Norwegian|pa Punjabi|pl Polish|ps Pashto|pt Portuguese|ro Romanian|"
    "ru Russian|si Sinhala|sk Slovak|sl Slovenian|so Somali|sq Albanian|sr Serbian|sv Swedish|sw Swahili|ta Tamil|"
    "te Telugu|tg Tajik|th Thai|tk Turkmen|tr Turkish|uk Ukrainian|ur Urdu|uz Uzbek|vi Vietnamese|xh Xhosa|"
    "yo Yoruba|zh Chinese|zu Zulu"
)


@cache
def _names() -> dict[str, str]:
    return dict(entry.split(" ", 1) for entry in _NAMES.split("|"))


def language_name(tag: str) -> str:
    """Return a language tag in words ("en-GB": "English (United Kingdom)"); what is unknown stays as it is."""
    code, *parts = tag.split("-")
    language = _names().get(code.lower())
    if language is None:
        return tag
    country = next((name for part in parts if (name := country_name(part.upper()))), None)
    return f"{language} ({country})" if country else language
