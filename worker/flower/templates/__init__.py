"""Our own pages, and Flower's with what leads to them."""

from pathlib import Path

from tornado.template import Loader, Template

OURS = Path(__file__).parent
# Texts of Flower's own templates, each with what comes after it.
_INSERTIONS = {
    "navbar.html": (
        "Broker</a>\n        </li>\n",
        """        <li class="nav-item">
          <a class="nav-link{% if active_tab == 'outbox' %} active{% end %}" href="{{ reverse_url('outbox') }}"
            {% if active_tab == 'outbox' %}aria-current="page"{% end %}>Outbox</a>
        </li>
""",
    ),
    "broker.html": (
        '<p class="page-description broker-url mt-3">{{ broker_url }}</p>\n',
        """      <p>Each task is one try of one row, and only what is due next is here. All that waits for the CRM,
      for staff and for visitors stands in the <a href="{{ reverse_url('outbox') }}">outbox</a>, in PostgreSQL.</p>
""",
    ),
}


class PageLoader(Loader):
    """Looks for a template among ours, then among Flower's."""

    def _create_template(self, name: str) -> Template:
        folder = OURS if (OURS / name).is_file() else Path(self.root)
        text = (folder / name).read_text(encoding="utf-8")
        if name in _INSERTIONS:
            before, ours = _INSERTIONS[name]
            if text.count(before) != 1:
                raise RuntimeError(f"Flower's pages have changed: no place for the outbox in {name}")
            text = text.replace(before, before + ours)
        return Template(text, name=name, loader=self)
