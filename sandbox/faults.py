"""The switches that make the sandbox fail on purpose: parsing, drawing, counting down.

The kinds are in `fault_catalog`; after a restart every fault is off.
"""

import random
from dataclasses import dataclass
from typing import Any, Final

from sandbox.fault_catalog import CATALOG

COMMON: Final = ("probability", "count", "path")


class BadFaults(ValueError):
    """The document has an unknown name or an invalid value; the message says which."""


@dataclass(slots=True)
class Switch:
    """One fault that is on. `count` None: until switched off."""

    probability: float
    count: int | None
    path: str | None
    params: dict[str, Any]
    dice: random.Random


class Faults:
    """The faults now on. `seed` makes a run repeatable."""

    def __init__(self) -> None:
        self._on: dict[str, Switch] = {}
        self._set_seed(1)

    def clear(self) -> None:
        """Switch everything off."""
        self._on = {}

    def _set_seed(self, seed: int) -> None:
        self.seed, self._jitter = seed, random.Random(seed)

    def jitter(self) -> float:
        """Return a number from 0 to 1, for the latency's jitter."""
        return self._jitter.random()

    def merge(self, document: dict[str, Any]) -> None:
        """Switch faults on (an object or true) and off (null or false), leaving the others; all or none.

        Raises BadFaults.
        """
        seed = document.get("seed", self.seed)
        changed = dict(self._on)
        for name, wanted in document.items():
            if name == "seed":
                continue
            if name not in CATALOG:
                raise BadFaults(f"no fault is called {name}; there are: {', '.join(CATALOG)}")
            if wanted is None or wanted is False:
                changed.pop(name, None)
            else:
                changed[name] = _switch(name, {} if wanted is True else wanted, seed)
        self._on = changed
        if "seed" in document:
            self._set_seed(seed)

    def shown(self) -> dict[str, Any]:
        """Return the document that would restore the present state."""
        return {
            "seed": self.seed,
            **{
                name: {"probability": s.probability, "count": s.count, "path": s.path, **s.params}
                for name, s in self._on.items()
            },
        }

    def fires(self, name: str, path: str = "", *, only_named: bool = False) -> dict[str, Any] | None:
        """Draw once: the fault's parameters if it strikes now, else None. A fault with no strikes left goes off.

        `only_named`: strike only if the fault has a `path` and it matches.
        """
        switch = self._on.get(name)
        if switch is None or (switch.path and switch.path not in path) or (only_named and not switch.path):
            return None
        if switch.probability < 1 and switch.dice.random() >= switch.probability:
            return None
        if switch.count is not None:
            switch.count -= 1
            if switch.count <= 0:
                del self._on[name]
        return switch.params

    def params(self, name: str) -> dict[str, Any]:
        """Return the parameters of a fault that is on, without drawing; empty when it is off."""
        return self._on[name].params if name in self._on else {}

    def any_on(self, *names: str) -> bool:
        """Return whether any of these is on, without drawing."""
        return any(name in self._on for name in names)


def _switch(name: str, wanted: Any, seed: int) -> Switch:
    kind = CATALOG[name]
    known = (*COMMON, *kind.defaults)
    if not isinstance(wanted, dict) or not wanted.keys() <= set(known):
        raise BadFaults(f"{name} is true, false, null or an object of {', '.join(known)}")
    probability, count = wanted.get("probability", 1), wanted.get("count", kind.strikes)
    if type(probability) not in (int, float) or not 0 <= probability <= 1:
        raise BadFaults(f"{name}.probability is a number from 0 to 1")
    if count is not None and (type(count) is not int or count < 1):
        raise BadFaults(f"{name}.count is a whole number from 1, or null")
    params = {key: wanted.get(key, default) for key, default in kind.defaults.items()}
    return Switch(probability, count, wanted.get("path"), params, random.Random(f"{seed}:{name}"))
