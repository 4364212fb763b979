"""What a browser without any script sends to the plain pages, and what it shows of their answers."""

from html.parser import HTMLParser

from tests.support.samples import PAYLOAD

FORM = {
    **PAYLOAD,
    "countryCode": "UK +44",
    "message": "How long?\r\nAnd how much?",
    "marketing": "2026-11-22",
    "website": "",
    "zc_gad": "G1",
    "key": "press",
    "start": "token",
    "visit": '{"eventId": "e-1"}',
}
TOKEN = f"{'0a' * 16}.{'1b' * 12}"
BODIES = {"/enquiry": FORM}
HOSTILE = "\"><script>alert(1)</script>'{{7*7}}{% raw %}&amp;"


class Page(HTMLParser):
    """What matters of a page: title, values of the form's fields, the field with the focus, links, scripts."""

    def __init__(self, html):
        super().__init__()
        self.title, self.text, self.fields, self.links = "", "", {}, []
        self.focused, self.invalid, self.scripts = [], [], 0
        self._within, self._select = [], ""
        self.feed(html)

    def handle_starttag(self, tag, pairs):
        attributes = dict(pairs)
        name = attributes.get("name")
        if tag == "script":
            self.scripts += 1
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "select":
            self._select = name
        if tag == "option" and ("selected" in attributes or self._select not in self.fields):
            self.fields[self._select] = attributes.get("value")
        if tag in {"input", "textarea"}:
            self._take(name, attributes)
        if tag in {"title", "textarea"}:
            self._within.append((tag, name))

    def _take(self, name, attributes):
        if attributes.get("type") != "checkbox" or "checked" in attributes:
            self.fields[name] = attributes.get("value", "")
        if "autofocus" in attributes:
            self.focused.append(name)
        if attributes.get("aria-invalid") == "true":
            self.invalid.append(name)

    def handle_endtag(self, tag):
        if self._within and self._within[-1][0] == tag:
            self._within.pop()

    def handle_data(self, data):
        self.text += data
        if self.fields.get(self._select, "") is None:
            self.fields[self._select] = data  # an option's text, where it has no value
        if self._within and self._within[-1][0] == "title":
            self.title += data
        elif self._within:
            self.fields[self._within[-1][1]] += data


def lines(text):
    return text.replace("\r\n", "\n")
