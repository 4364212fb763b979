from __future__ import annotations

import pytest

from benchmarks.message import cut_message

ONE = b"HTTP/1.1 201 CREATED\r\nContent-length: 4\r\n\r\nbody"


def test_a_message_is_cut_off_and_what_comes_after_it_is_kept():
    message = cut_message(ONE + b"HTTP/1.1 2")
    assert message is not None
    assert message.head.split(b"\r\n")[0] == b"HTTP/1.1 201 CREATED"
    assert (message.body, message.rest) == (b"body", b"HTTP/1.1 2")


def test_a_message_without_a_length_has_no_body():
    assert cut_message(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") == (b"GET / HTTP/1.1\r\nHost: x", b"", b"")


@pytest.mark.parametrize("length", range(len(ONE)))
def test_of_a_part_nothing_is_cut(length):
    assert cut_message(ONE[:length]) is None
