"""What is taken of Lighthouse's reports, and how several runs of two pages become one figure."""

from __future__ import annotations

from benchmarks.lighthouse import figures, findings

REPORT = {
    "categories": {
        "performance": {"score": 0.98},
        "accessibility": {"score": 1},
        "best-practices": {"score": 1},
        "seo": {"score": 0.92},
    },
    "audits": {
        "largest-contentful-paint": {"numericValue": 1812.34},
        "total-blocking-time": {"numericValue": 7.5},
        "cumulative-layout-shift": {"numericValue": 0.0004},
    },
}
READ = {"P9": 98, "P9b": 100, "P9c": 100, "P9d": 92, "P10": 1.8123, "P10b": 7.5, "P10c": 0.0004}


def test_scores_are_percent_and_times_are_in_the_targets_units():
    assert figures(REPORT) == READ


def test_the_worse_page_counts_by_its_median():
    runs = {
        "home": [READ | {"P9": score, "P10": lcp} for score, lcp in ((99, 1.5), (100, 1.7), (90, 1.6))],
        "landing": [READ | {"P9": score, "P10": lcp} for score, lcp in ((98, 2.0), (98, 1.2), (100, 1.3))],
    }
    found = {finding.target.key: finding for finding in findings(runs)}
    assert found["P9"].ours.values == (98, 98, 100)
    assert found["P9"].notes == ["the worse page's (landing); medians of 3 runs: home 99.0, landing 98.0"]
    assert found["P9"].verdict == "MISSED by 1 %"
    assert found["P10"].ours.median == 1.6
    assert found["P10b"].verdict == "met; the aim missed by 7.50 ms"
