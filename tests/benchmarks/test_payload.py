"""The benchmarks' enquiry: what is posted equals what is stored, for the site and its peers."""

from __future__ import annotations

import json
import random
from itertools import pairwise

from api.schemas import LeadSchema
from benchmarks.payload import bodies, body, row


def test_the_site_reads_from_the_post_exactly_the_row_that_the_benchmarks_store():
    loaded = LeadSchema().load(json.loads(body(4711)))
    assert {column: loaded[column] for column in row(4711)} == row(4711)


def test_the_same_seed_gives_the_same_visitors_and_no_visitor_comes_twice():
    chosen = bodies(random.Random(1))
    assert chosen == bodies(random.Random(1))
    assert all(one != other for one, other in pairwise(sorted(chosen)))
