"""The price plan without any script: what the answers fill into the page at /plan. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leads.plan import MISSING, REPLACE, TEETH, Answers, read_answers, said_of, tap, text_of, view

Data = Mapping[str, Any]


def fill_plan(data: Data, form: Mapping[str, str]) -> dict[str, Any]:
    """Return what the page's template is filled with, after the answers of `form` and its tap on a tooth.

    Returns:
        `values` of the form's hidden fields, `chosen` answers as "about_one", `marks` and `said` of each tooth as
        "t16", the `answer` (`leads.plan.view`), and `plan`, the text that goes with an enquiry.
    """
    answers = read_answers(data, form) or Answers(next(iter(data["lists"])))
    if "tap" in form:
        answers = tap(data, answers, form["tap"])
    shown = view(data, answers)
    teeth = TEETH.values()
    return {
        "values": {
            "list": answers.list,
            MISSING: ",".join(map(str, answers.missing)),
            REPLACE: ",".join(map(str, answers.replace)),
            "plan": text_of(answers, data["version"]) if shown else "",
        },
        "chosen": {f"about_{answers.about}": True, f"xray_{answers.xray}": True},
        "marks": {f"t{tooth}": answers.state_of(tooth) or "none" for tooth in teeth},
        "said": {f"t{tooth}": words for tooth, words in said_of(data, answers).items()},
        "answer": {shown["state"]: True, **shown} if shown else {"ask": True},
    }
