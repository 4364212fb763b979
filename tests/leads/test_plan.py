"""The price plan: never less than the list, never a number that only a scan can give, always what is missing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from leads.plan import LOWER, TEETH, UPPER, Answers, parts_of, read_answers, stored, tap, text_of, view
from leads.plan_words import has_of, line_of, teeth_of
from tests.support.plan import ABOUT, CASES, DATA, answers_of, make_cases
from tests.support.properties import given, settings, st

TOPICS = {topic["id"]: topic for topic in DATA["topics"]}
LISTS = {name: prices["prices"] for name, prices in DATA["lists"].items()}
EXAMPLES = settings(max_examples=300)
ANY_TOPIC = st.sampled_from(ABOUT)


@st.composite
def charts(draw, about=ANY_TOPIC):
    marks = draw(st.dictionaries(st.sampled_from(sorted(TEETH.values())), st.booleans(), max_size=32))
    return Answers(
        list=draw(st.sampled_from(list(LISTS))),
        about=draw(about),
        missing=tuple(sorted(tooth for tooth, is_missing in marks.items() if is_missing)),
        replace=tuple(sorted(tooth for tooth, is_missing in marks.items() if not is_missing)),
        xray=draw(st.sampled_from(["yes", "no", "unsure", None])),
    )


def listed(answers: Answers) -> int:
    """The sum of listed prices, tooth by tooth and jaw by jaw, written down once more and in another way."""
    prices, counted = LISTS[answers.list], [tooth for tooth in TEETH.values() if tooth not in DATA["leftOut"]]
    price = {name: value or 0 for name, value in prices.items()}
    tooth = price["implant"] + price["abutment"] + price["crown"]
    missing = sum(number in answers.missing for number in counted)
    others = sum(number in answers.replace for number in counted)
    if answers.about == "arch":
        return price["arch"] * sum(
            any(answers.state_of(number) for number in jaw if number in counted) for jaw in (UPPER, LOWER)
        )
    return missing * tooth + others * (price["crown"] if answers.about == "worn" else tooth)


def test_both_sides_are_held_to_these_cases():
    shared = json.loads(CASES.read_text())
    assert shared == {"data": DATA, "cases": make_cases(len(shared["cases"]), seed=32)}
    assert len(shared["cases"]) == 150


@pytest.mark.slow
@EXAMPLES
@given(answers=charts(st.sampled_from(["several", "arch", "worn"])))
def test_the_sum_is_that_of_the_list_and_never_less(answers):
    shown = view(DATA, answers)
    assert shown["total"] == (listed(answers) or None)
    assert (shown["state"] == "mark") is (shown["total"] is None)
    assert stored(DATA, answers)["estimate"] == shown["total"]


@pytest.mark.slow
@EXAMPLES
@given(answers=charts(st.sampled_from(["bone", "unsure"])))
def test_where_only_a_scan_can_tell_there_is_no_number(answers):
    shown = view(DATA, answers)
    assert (shown["state"], shown["total"], shown["sum"]) == ("scan", None, None)
    assert (shown["lines"], shown["instead"], shown["trips"]) == ([], None, None)
    assert not any(character.isdigit() for character in json.dumps(shown["extra"]))
    assert stored(DATA, answers)["estimate"] is None


@pytest.mark.slow
@EXAMPLES
@given(answers=charts())
def test_what_the_list_does_not_price_is_named_with_its_number(answers):
    shown, way = view(DATA, answers), TOPICS[answers.about]["plan"]
    parts = parts_of(DATA, way, answers) if way else {}
    unpriced = [
        f"{DATA['treatments'][part]['title']}, {count}: not listed"
        for part, count in parts.items()
        if LISTS[answers.list][part] is None
    ]
    missing = [] if shown["state"] == "mark" else TOPICS[answers.about]["extra"]
    assert shown["extra"] == [*unpriced, *missing]
    assert bool(shown["extra"]) is (shown["state"] != "mark")


@pytest.mark.slow
@EXAMPLES
@given(answers=charts())
def test_the_other_way_is_another_one_with_what_it_leaves_out(answers):
    shown = view(DATA, answers)
    other = shown["instead"]
    if other is None:
        return
    lines = [f"{line['title']} {line['each']}" for line in shown["lines"]]
    assert other["parts"] != ", ".join(lines) or other["extra"] != shown["extra"][: len(other["extra"])]
    assert ("Implants" in other["parts"] and LISTS[answers.list]["abutment"] is None) is bool(other["extra"])


@pytest.mark.slow
@EXAMPLES
@given(answers=charts())
def test_a_plan_survives_the_form_and_nobody_believes_a_sum_that_was_sent(answers):
    text = text_of(answers, DATA["version"])
    assert read_answers(DATA, text) == replace(answers, version=DATA["version"])
    claimed = f"{text}&sum=1&total=1&estimate=1&currency=TRY"
    assert stored(DATA, answers_of(claimed)) == stored(DATA, answers_of(text))


@pytest.mark.slow
@EXAMPLES
@given(answers=charts(), tooth=st.sampled_from(sorted(TEETH)))
def test_three_taps_on_a_tooth_lead_back(answers, tooth):
    once = tap(DATA, answers, tooth)
    assert once.state_of(int(tooth)) != answers.state_of(int(tooth))
    assert tap(DATA, tap(DATA, once, tooth), tooth) == answers


@pytest.mark.slow
@EXAMPLES
@given(answers=charts(), jaw=st.sampled_from(["upper", "lower"]))
def test_a_whole_jaw_is_marked_and_cleared(answers, jaw):
    teeth = [tooth for tooth in (UPPER if jaw == "upper" else LOWER) if tooth not in DATA["leftOut"]]
    was_full = all(answers.state_of(tooth) for tooth in teeth)
    assert {bool(tap(DATA, answers, jaw).state_of(tooth)) for tooth in teeth} == {not was_full}
    assert tap(DATA, answers, "none") == replace(answers, missing=(), replace=())


@settings(max_examples=500)
@given(text=st.one_of(st.text(max_size=400), st.text("list=home&aboutseveralmissing16,24%=+", max_size=400)))
def test_no_text_breaks_it(text):
    answers = read_answers(DATA, text)
    assert answers is None or text_of(answers, "")
    said = read_answers(DATA, f"list=home&{text}")
    assert said is not None
    view(DATA, said)
    line_of(stored(DATA, said))


def test_a_tooth_that_is_named_twice_is_missing():
    answers = answers_of("list=home&about=several&missing=16,16,19,x&replace=16,24")
    assert (answers.missing, answers.replace) == ((16,), (24,))


def test_wisdom_teeth_are_told_and_not_counted():
    answers = answers_of("list=home&about=several&missing=16,18")
    assert view(DATA, answers)["total"] == LISTS["home"]["implant"] + LISTS["home"]["crown"]
    assert stored(DATA, answers)["missing"] == [16, 18]


def test_an_older_price_list_is_told():
    seen = "list=home&about=several&missing=16&xray=yes&version="
    assert stored(DATA, answers_of(f"{seen}{DATA['version']}"))["seen"] is None
    old = stored(DATA, answers_of(f"{seen}00000000"))
    assert (old["seen"], old["version"], old["estimate"]) == ("00000000", DATA["version"], 335)
    assert line_of(old).endswith("; price list home 0a1b2c3d; the visitor saw another version of it")


def test_staff_read_it_in_one_line():
    plan = stored(DATA, answers_of("list=home&about=several&missing=16,17&replace=24&xray=yes"))
    assert line_of(plan) == (
        "Several teeth are missing; listed GBP 1005 (Implants 3 x 175, Crowns 3 x 160); not priced: Abutment 3 x;"
        " missing 16, 17; to be replaced 24; X-ray: yes; price list home 0a1b2c3d"
    )
    assert teeth_of(plan) == "missing 16, 17; to be replaced 24"
    assert plan["treatment"] == "Implants, Crowns"


def test_without_a_number_staff_read_what_it_is_about():
    plan = stored(DATA, answers_of("list=home&about=bone&xray=no"))
    assert line_of(plan) == "Bone is lacking; no sum; X-ray: no; price list home 0a1b2c3d"
    assert plan["treatment"] == "Zygomatic"
    assert stored(DATA, answers_of("list=home&about=unsure"))["treatment"] is None


@pytest.mark.parametrize(
    ("plan", "tapped", "has"),
    [
        (None, None, ""),
        (None, "photos", "photos"),
        ({"xray": "yes"}, None, "X-ray"),
        ({"xray": "yes"}, "photos", "X-ray, photos"),
        ({"xray": "yes"}, "X-ray, photos", "X-ray, photos"),
        ({"xray": "no"}, "photos", "photos"),
    ],
)
def test_an_x_ray_of_the_plan_is_among_what_there_is(plan, tapped, has):
    assert has_of(plan, tapped) == has


@pytest.mark.parametrize("said", ["", "about=several", "list=__class__&about=several", "list=home"])
def test_without_a_list_or_a_topic_there_is_no_plan(said):
    answers = read_answers(DATA, said)
    assert answers is None or stored(DATA, answers) is None
