"""The mailbox behind an address, whatever its spelling."""

import pytest

from leads.addresses import mailbox_of


@pytest.mark.parametrize(
    "other", ["V@EXAMPLE.com", "v+1@example.com.", '"v"@example.com', "v@\uff45xample.com", "v@exa\u00admple.com"]
)
def test_no_spelling_makes_another_mailbox(other):
    assert mailbox_of(other) == "v@example.com"


def test_the_names_of_one_providers_mailbox_are_one():
    assert mailbox_of("A.n.n+x@googlemail.com") == mailbox_of("ann@GMAIL.com") == "ann@gmail.com"
    assert mailbox_of("a-n_n@pm.me") == mailbox_of("ann@proton.me")
    assert mailbox_of("a.nn@example.com") == "a.nn@example.com"
    assert mailbox_of("+@example.com") == "+@example.com"
