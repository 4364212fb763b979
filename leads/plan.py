"""The price plan: what a visitor says of their teeth, and the sum of listed prices for it. Pure.

Price lists, mapping and words are content: the build hands them over as `plan` of clinic.json. The browser works
from the same data by the same rules (frontend/src/lib/plan.ts). A file of cases holds both to the same answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

# FDI: the first digit is the quarter, from the patient's upper right clockwise; the second counts from the middle.
UPPER = (*range(18, 10, -1), *range(21, 29))
LOWER = (*range(48, 40, -1), *range(31, 39))
TEETH = {str(tooth): tooth for tooth in (*UPPER, *LOWER)}
MISSING, REPLACE = "missing", "replace"
XRAY = ("yes", "no", "unsure")
ABUTMENT = "abutment"  # a part of a tooth, and no treatment of its own
MAX_VERSION_LENGTH = 16
SIGNS = {"GBP": "£", "EUR": "€", "USD": "$"}

Data = Mapping[str, Any]
Way = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answers:
    """What was answered. Each tooth is in one of the two lists at most; None: not answered.

    list: whose prices were shown. version: of the prices that were shown; "" where the sender did not say.
    """

    list: str
    about: str | None = None
    missing: tuple[int, ...] = ()
    replace: tuple[int, ...] = ()
    xray: str | None = None
    version: str = ""

    def state_of(self, tooth: int) -> str | None:
        """Return what is said of a tooth; None: nothing."""
        return MISSING if tooth in self.missing else REPLACE if tooth in self.replace else None


def read_answers(data: Data, said: str | Mapping[str, str]) -> Answers | None:
    """Return the answers in a form's fields, or in one text like a query.

    What is not understood is left out; None where not even the price list is.
    """
    fields = dict(parse_qsl(said)) if isinstance(said, str) else said
    if fields.get("list") not in data["lists"]:
        return None
    about, xray = fields.get("about"), fields.get("xray")
    missing = _read_teeth(fields.get(MISSING, ""))
    return Answers(
        list=fields["list"],
        about=about if _topic(data, about) else None,
        missing=_sorted(missing),
        replace=_sorted(_read_teeth(fields.get(REPLACE, "")) - missing),
        xray=xray if xray in XRAY else None,
        version=fields.get("version", "")[:MAX_VERSION_LENGTH],
    )


def said_of(data: Data, answers: Answers) -> dict[int, str]:
    """Return what is said of each tooth, in words."""
    topic, states = _topic(data, answers.about), data["words"]["states"]
    words = {**states, REPLACE: (topic or {}).get("replaceWord") or states[REPLACE]}
    return {tooth: words[answers.state_of(tooth) or "none"] for tooth in TEETH.values()}


def text_of(answers: Answers, version: str) -> str:
    """Return the answers as one text, for a field of a form."""
    said = {
        "list": answers.list,
        "about": answers.about,
        MISSING: ",".join(map(str, answers.missing)),
        REPLACE: ",".join(map(str, answers.replace)),
        "xray": answers.xray,
        "version": version,
    }
    return urlencode({name: value for name, value in said.items() if value}, safe=",")


def tap(data: Data, answers: Answers, what: str) -> Answers:
    """Return the answers after a tap on a tooth, on a whole jaw ("upper", "lower") or on "none".

    A tooth goes from nothing to the first mark of the topic, then to the other one, then back. A jaw that is marked
    throughout is cleared.
    """
    topic = _topic(data, answers.about)
    first = topic["first"] if topic else MISSING
    marks = {tooth: state for tooth in TEETH.values() if (state := answers.state_of(tooth))}
    if what == "none":
        marks = {}
    elif what in ("upper", "lower"):
        jaw = [tooth for tooth in (UPPER if what == "upper" else LOWER) if tooth not in data["leftOut"]]
        clear = all(tooth in marks for tooth in jaw)
        for tooth in jaw:
            marks[tooth] = "" if clear else marks.get(tooth) or first
    order = (None, first, REPLACE if first == MISSING else MISSING)
    for tooth in _read_teeth(what):
        marks[tooth] = order[(order.index(answers.state_of(tooth)) + 1) % len(order)] or ""
    return replace(
        answers,
        missing=_sorted(tooth for tooth, state in marks.items() if state == MISSING),
        replace=_sorted(tooth for tooth, state in marks.items() if state == REPLACE),
    )


def view(data: Data, answers: Answers) -> dict[str, Any] | None:
    """Return what a page says to the answers; None before it is known what they are about.

    `state` is "sum", "scan" (only a scan can tell: there is no number) or "mark" (no tooth is marked yet); `total`
    is in whole units of the list's currency.
    """
    topic = _topic(data, answers.about)
    if topic is None:
        return None
    prices, words = data["lists"][answers.list], data["words"]
    parts = parts_of(data, topic["plan"], answers) if topic["plan"] else {}
    state = "sum" if parts else "mark" if topic["plan"] else "scan"
    titled = [(part, count, data["treatments"][part]) for part, count in parts.items()]
    total = _total(prices, parts)
    return {
        "state": state,
        "about": topic["text"],
        "lines": [
            {"title": kind["title"], **_priced(data, prices, part, count), "includes": ", ".join(kind["includes"])}
            for part, count, kind in titled
            if prices["prices"][part] is not None
        ],
        "total": total if parts else None,
        "sum": money(total, prices["currency"]) if parts else None,
        "extra": [*_unpriced(data, prices, parts), *(topic["extra"] if state != "mark" else [])],
        "instead": _instead(data, topic, answers, parts) if parts else None,
        "trips": _trips(words, titled[0][2]) if titled else None,
        "xray": words["xray"].get(answers.xray or ""),
    }


def parts_of(data: Data, way: Way, answers: Answers) -> dict[str, int]:
    """Return how many of each treatment a way of treating needs, in the order of the treatments."""
    needed: Counter[str] = Counter()
    whole = 0
    for jaw in (UPPER, LOWER):
        marks = [state for tooth in jaw if tooth not in data["leftOut"] and (state := answers.state_of(tooth))]
        if marks and "jaw" in way and len(marks) >= way.get("from", 1):
            whole += 1
        else:
            needed.update(part for state in marks for part in way[state])
    both = whole > 1 and "both" in way
    needed.update(way["both"] if both else [part for _ in range(whole) for part in way["jaw"]])
    return {part: needed[part] for part in data["treatments"] if needed[part]}


def stored(data: Data, answers: Answers) -> dict[str, Any] | None:
    """Return the plan as it is kept with an enquiry, worked out again from our own list; None without a topic.

    `estimate` is in whole units of `currency`, None where there is no number. `seen` is the version of the prices
    that the visitor saw, where it was another one.
    """
    topic = _topic(data, answers.about)
    if topic is None:
        return None
    prices = data["lists"][answers.list]
    parts = parts_of(data, topic["plan"], answers) if topic["plan"] else {}
    titles = [data["treatments"][part]["title"] for part in parts if part != ABUTMENT]
    named = topic.get("treatment")
    version = data["version"]
    return {
        "list": answers.list,
        "version": version,
        "seen": answers.version if answers.version not in ("", version) else None,
        "about": answers.about,
        "topic": topic["text"],
        "missing": list(answers.missing),
        "replace": list(answers.replace),
        "xray": answers.xray,
        "treatment": ", ".join(titles) or (data["treatments"][named]["title"] if named else None),
        "parts": [
            {"title": data["treatments"][part]["title"], "count": count, "price": prices["prices"][part]}
            for part, count in parts.items()
        ],
        "estimate": _total(prices, parts) if parts else None,
        "currency": prices["currency"],
    }


def money(amount: int, currency: str) -> str:
    """Return an amount of whole units as visitors read it: "£1,999"."""
    return f"{SIGNS[currency]}{amount:,}"


def _topic(data: Data, about: str | None) -> Data | None:
    return next((topic for topic in data["topics"] if topic["id"] == about), None)


def _read_teeth(said: str) -> set[int]:
    return {TEETH[part] for part in said.split(",") if part in TEETH}


def _sorted(teeth: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(teeth))


def _total(prices: Data, parts: Mapping[str, int]) -> int:
    return sum((prices["prices"][part] or 0) * count for part, count in parts.items())


def _priced(data: Data, prices: Data, part: str, count: int) -> dict[str, str]:
    price, currency = prices["prices"][part], prices["currency"]
    each = str(data["words"]["each"]).replace("{count}", str(count)).replace("{price}", money(price, currency))
    return {"each": each, "amount": money(price * count, currency)}


def _unpriced(data: Data, prices: Data, parts: Mapping[str, int]) -> list[str]:
    """Return a line for each part that the list has no price for."""
    return [
        data["words"]["unpriced"]
        .replace("{part}", data["treatments"][part]["title"])
        .replace("{count}", str(count))
        for part, count in parts.items()
        if prices["prices"][part] is None
    ]


def _instead(data: Data, topic: Data, answers: Answers, parts: Mapping[str, int]) -> dict[str, Any] | None:
    """Return the first other way of treating that is another one for these teeth."""
    prices = data["lists"][answers.list]
    ways: Sequence[Way] = topic["instead"]
    for way in ways:
        other = parts_of(data, way, answers)
        if other and other != parts:
            named = [
                f"{data['treatments'][part]['title']} {_priced(data, prices, part, count)['each']}"
                for part, count in other.items()
                if prices["prices"][part] is not None
            ]
            return {
                "text": way["text"],
                "parts": ", ".join(named),
                "sum": money(_total(prices, other), prices["currency"]),
                "extra": _unpriced(data, prices, other),
            }
    return None


def _trips(words: Data, kind: Data) -> str:
    return str(words["trips"]).replace("{visits}", kind["visits"]).replace("{duration}", kind["duration"])
