"""Our own pages, and Flower's with one more place in its navigation."""

from __future__ import annotations

from pathlib import Path

from tornado.template import Loader, Template

OURS = Path(__file__).parent
# The last entry of Flower's own navigation ends with this; ours comes after it.
_LAST_ENTRY_ENDS = "Broker</a>\n        </li>\n"
_ENTRY = """        <li class="nav-item">
          <a class="nav-link{% if active_tab == 'outbox' %} active{% end %}" href="{{ reverse_url('outbox') }}"
            {% if active_tab == 'outbox' %}aria-current="page"{% end %}>Outbox</a>
        </li>
"""


class PageLoader(Loader):
    """Looks for a template among ours, then among Flower's."""

    def _create_template(self, name: str) -> Template:
        folder = OURS if (OURS / name).is_file() else Path(self.root)
        text = (folder / name).read_text(encoding="utf-8")
        if name == "navbar.html":
            if text.count(_LAST_ENTRY_ENDS) != 1:
                raise RuntimeError("Flower's navigation has changed: no place for the outbox in navbar.html")
            text = text.replace(_LAST_ENTRY_ENDS, _LAST_ENTRY_ENDS + _ENTRY)
        return Template(text, name=name, loader=self)
