"""What is checked: the models as they are, and each with one rule left out, which must break a named property."""

from __future__ import annotations

from dataclasses import dataclass

# Properties of whole runs, by the names of their formulas.
FORMULAS = frozenset({"every_row_ends", "every_row_is_sent"})


@dataclass(frozen=True, slots=True)
class Check:
    """One run of the checker.

    `flag` names the rule that is left out, and `left_out` describes it; the property `breaks` must then fail.
    Without a flag every property must hold. `live` looks for runs without end instead of broken assertions.
    """

    model: str
    flag: str | None = None
    left_out: str = ""
    breaks: str | None = None
    live: bool = False

    @property
    def name(self) -> str:
        """The name for `--only`."""
        return self.flag or (f"{self.model}-live" if self.live else self.model)


def _variants(model: str, rows: tuple[tuple[str, str, str], ...]) -> list[Check]:
    return [Check(model, flag, left_out, breaks, live=breaks in FORMULAS) for flag, left_out, breaks in rows]


DELIVERY = (
    ("NOUPSERT", "no unique key in the CRM", "nothing is doubled"),
    ("NOSWEEP", "nobody takes back expired leases", "nothing is lost"),
    ("UNSEND", "a sweep writes what it saw earlier", "success is monotone"),
    ("NOFENCE", "a mark does not compare the lease", "a lease is ended only by its holder or the sweep"),
    ("NOBEGIN", "a loss is charged before the call began", "nothing is charged that was not sent"),
    ("INNOCENT", "the number of losses is proof enough", "an innocent row is never dead"),
    ("NOPROCESS", "other calls of the process are not waited for", "an innocent row is never dead"),
    ("NOALONE", "rows that are sent alone are claimed together", "an innocent row is never dead"),
    ("NOSTORM", "deaths of other workers are not looked at", "an innocent row is never dead"),
    ("NOTRIES", "age alone ends a row", "a row is given up only after all its tries"),
    ("NOGRACE", "the CRM is not watched after an erasure", "an erased row never comes back"),
    ("IMPATIENT", "a row waits for no other call, every time", "every_row_ends"),
)
GATE = (
    ("NOGATE", "a claim does not look at the gate again", "a shut gate lets nothing through but probes"),
    ("TWOPROBES", "a due probe is not taken by one worker alone", "each probe is sent once"),
    ("CHARGED", "failures through a shut gate cost tries", "a shut gate costs no row a try"),
    ("ANYANSWER", "any answer counts as a probe's", "only a probe's answer opens the gate"),
    ("UNPAUSE", "a probe's answer ends a pause", "only an operator ends a pause"),
    (
        "FORGETROWS",
        "the first answer forgets which rows failed",
        "after an outage, two probes in a row open the gate",
    ),
    ("HELDPROBE", "a probe is held by its worker, not for a time", "no shut gate keeps a row for ever"),
)
CHECKS = (
    Check("delivery"),
    Check("delivery", live=True),
    *_variants("delivery", DELIVERY),
    Check("gate"),
    Check("gate", live=True),
    *_variants("gate", GATE),
)
