"""A price plan's data as a build hands it over, charts at random, and the cases that both sides share."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from leads.plan import TEETH, Answers, read_answers, said_of, tap, text_of, view

TOOTH = ["implant", "abutment", "crown"]
DATA: dict[str, Any] = {
    "version": "0a1b2c3d",
    "lists": {
        # Without a price of the abutment, with one, and in whole thousands.
        "home": {
            "currency": "GBP",
            "prices": {"implant": 175, "abutment": None, "crown": 160, "arch": 2999, "six": 3599, "full": 4199},
        },
        "landing": {
            "currency": "EUR",
            "prices": {"implant": 199, "abutment": 90, "crown": 180, "arch": 2999, "six": 4999, "full": 4799},
        },
        "far": {
            "currency": "USD",
            "prices": {
                "implant": 1000,
                "abutment": None,
                "crown": 1,
                "arch": 99999,
                "six": 100000,
                "full": 1234567,
            },
        },
    },
    "leftOut": [18, 28, 38, 48],
    "treatments": {
        "implant": {"title": "Implants", "includes": ["Scan"], "duration": "3-4 months", "visits": "2 visits"},
        "abutment": {"title": "Abutment", "includes": ["Part"], "duration": "", "visits": ""},
        "crown": {"title": "Crowns", "includes": ["Fitting"], "duration": "5 days", "visits": "1 visit"},
        "zygomatic": {"title": "Zygomatic", "includes": [], "duration": "4 months", "visits": "1-2 visits"},
        "arch": {"title": "All-on-4", "includes": ["Teeth"], "duration": "3-4 months", "visits": "2 visits"},
        "six": {"title": "All-on-6", "includes": ["Teeth"], "duration": "3-4 months", "visits": "2 visits"},
        "full": {"title": "Full mouth", "includes": ["Teeth"], "duration": "3-4 months", "visits": "2 visits"},
    },
    "topics": [
        {
            "id": "several",
            "text": "Several teeth are missing",
            "first": "missing",
            "plan": {"missing": TOOTH, "replace": TOOTH},
            "instead": [
                {"text": "An arch", "from": 8, "jaw": ["arch"], "missing": TOOTH, "replace": TOOTH},
                {"text": "Crowns alone", "missing": TOOTH, "replace": ["crown"]},
            ],
            "extra": ["Bone graft", "Flights"],
        },
        {
            "id": "arch",
            "text": "Nearly all",
            "first": "missing",
            "plan": {"jaw": ["arch"]},
            "instead": [{"text": "More implants", "jaw": ["six"], "both": ["full"]}],
            "extra": ["Flights"],
        },
        {
            "id": "worn",
            "text": "Worn",
            "first": "replace",
            "replaceWord": "to get a crown",
            "plan": {"missing": TOOTH, "replace": ["crown"]},
            "instead": [],
            "extra": ["Flights"],
        },
        {
            "id": "bone",
            "text": "Bone is lacking",
            "first": "missing",
            "plan": None,
            "instead": [],
            "extra": ["How many"],
            "treatment": "zygomatic",
        },
        {
            "id": "unsure",
            "text": "Not sure",
            "first": "missing",
            "plan": None,
            "instead": [],
            "extra": ["Everything"],
            "treatment": None,
        },
    ],
    "words": {
        "each": "{count} x {price}",
        "unpriced": "{part}, {count}: not listed",
        "trips": "{visits}, {duration}",
        "states": {"none": "there", "missing": "missing", "replace": "to be replaced"},
        "xray": {"yes": "Send it.", "no": "A scan shows it.", "unsure": "Ask."},
    },
}
ABOUT = [topic["id"] for topic in DATA["topics"]]
CASES = Path(__file__).parents[1] / "plan_cases.json"


def answers_of(said: str) -> Answers:
    """Return the answers of a text that names a price list."""
    answers = read_answers(DATA, said)
    assert answers is not None
    return answers


def _random_said(dice: random.Random) -> str:
    """Return a plan's text, now and then with what no page writes."""
    few, many = dice.randint(0, 5), dice.randint(0, 32)
    teeth = dice.sample([*TEETH, "19", "0", "x", " 16"], k=dice.choice((few, few, many)))
    cut = dice.randint(0, len(teeth))
    fields = {
        "list": dice.choice(list(DATA["lists"])),
        "about": dice.choice([*ABOUT, *ABOUT, "constructor", ""]),
        "missing": ",".join(teeth[:cut]),
        "replace": ",".join([*teeth[cut:], *teeth[: dice.choice((0, 0, 2))]]),
        "xray": dice.choice(["yes", "no", "unsure", "", "toString"]),
        "sum": "1",
    }
    return "&".join(f"{name}={value}" for name, value in fields.items() if value or dice.random() < 0.1)


def make_cases(number: int, seed: int) -> list[dict[str, Any]]:
    """Return charts at random with taps on them: the text afterwards, and what a page says."""
    dice = random.Random(seed)
    cases = []
    for _ in range(number):
        said = _random_said(dice)
        taps = dice.choices([*TEETH, "upper", "lower", "none", "19", "up"], k=dice.choice((0, 1, 3)))
        answers = answers_of(said)
        for what in taps:
            answers = tap(DATA, answers, what)
        text = text_of(answers, DATA["version"])
        (tooth,) = dice.choices(list(TEETH.values()))
        state = said_of(DATA, answers)[tooth]
        shown = {"tooth": tooth, "state": state, "view": view(DATA, answers)}
        cases.append({"said": said, "taps": taps, "text": text, **shown})
    return cases


if __name__ == "__main__":
    # The file that both sides are held to: python -m tests.support.plan
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in make_cases(150, seed=32))
    CASES.write_text(f'{{"data": {json.dumps(DATA)},\n"cases": [\n{lines}\n]}}\n')
