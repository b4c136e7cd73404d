"""`mqsc top`: rates, order and lines of the screen; the screen itself is in
tests/mqsc/shell/test_terminal.py.
"""

from __future__ import annotations

import json

import pytest

from mqsc.cli.top_screen import Sample, View, ordered, rates, screen, sparkline
from mqsc.console.tables import cell_len
from mqsc.store.admin.load import Load
from mqsc.store.sql.statistics import QueueLoad
from tests.mqsc.conftest import Command


def queue(id: int, name: str, depth: int = 0, puts: int = 0, gets: int = 0) -> QueueLoad:
    return QueueLoad(id, name, depth, 1000, puts, gets, id % 2, 1, 0)


def sample(seconds: float, *queues: QueueLoad) -> Sample:
    load = Load(1_700_000_000_000_000, "RUNNING", [*queues], {1: 2}, 3, {3: 1, 5: 2}, "DLQ", {}, 9)
    return Sample.of(seconds, load)


def test_rates_are_of_the_time_between_the_first_and_the_last_sample() -> None:
    before = sample(
        10.0,
        queue(1, "A", puts=5, gets=5),
        queue(2, "B", puts=100, gets=7),
        queue(3, "C"),
    )
    now = sample(
        12.0,
        queue(1, "A", puts=25, gets=5),
        queue(2, "B", puts=4, gets=7),
        queue(4, "NEW", puts=2),
        queue(3, "C"),
    )
    # The statistics of B began anew.
    assert rates([before, now]) == {1: (10.0, 0.0), 2: (2.0, 0.0), 4: (1.0, 0.0)}
    assert rates([now]) == {}


def test_order() -> None:
    before = sample(0.0, queue(1, "A"), queue(2, "SYSTEM.Q"), queue(3, "B", depth=7), queue(4, "C"))
    now = sample(
        1.0,
        queue(1, "A", puts=1),
        queue(2, "SYSTEM.Q", puts=9),
        queue(3, "B", depth=7),
        queue(4, "C", gets=3),
    )
    names = {
        (order, system): "".join(
            each.name[0] for each in ordered([before, now], View(shows_system=system, order=order))
        )
        for order in ("traffic", "depth", "name")
        for system in (False, True)
    }
    assert names == {
        ("traffic", False): "CAB",
        ("traffic", True): "SCAB",
        ("depth", False): "BAC",
        ("depth", True): "BACS",
        ("name", False): "ABC",
        ("name", True): "ABCS",
    }


def test_sparkline() -> None:
    assert sparkline([0, 1, 4, 8]) == "▁▁▄█"
    assert sparkline([0, 0]) == "▁▁"


@pytest.mark.parametrize("width", [40, 56, 80, 110, 200])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    queues = [
        queue(1, "LONG." * 9, 12_345_678, 10**9),
        queue(2, "日本" * 12, 5),
        queue(5, "DLQ", 4),
    ]
    samples = [sample(1.0), sample(1.1, *queues)]
    lines = [*screen("QM1", samples, View(), queues, {1: 0, 2: 1_600_000_000_000_000}, width)]
    texts = ["".join(text for _, text in line) for line in lines]
    assert [text for text in texts if cell_len(text) > width] == []
    assert texts[0].startswith("QM1 running  22:13:20Z  depth 12,345,6")
    assert texts[1].startswith("4 on the dead-letter queue  channels: ")
    assert len(texts) == 3 + len(queues)
    if width == 200:
        assert texts[1].endswith("channels: 1 running, 2 retrying")
        assert texts[4].split()[1:] == ["5", "█░░░░░░░", "<1%", "▁█", "1157d9h", "1"]


def test_without_a_terminal_the_queues_are_printed_once(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A) MAXDEPTH(7)")
    mqsc("put", "A", "x", "y")
    (row,) = [
        each for each in json.loads(mqsc("top", "--format", "json").out) if each["queue"] == "A"
    ]
    assert (row["depth"], row["maxdepth"], row["uncom"], row["trigger"]) == (2, 7, 0, "NO")
    heading, *lines = mqsc("top").lines
    assert heading.split()[:3] == ["QUEUE", "DEPTH", "MAXDEPTH"]
    assert lines[0].split()[:3] == ["A", "2", "7"]
    assert mqsc("top", "-m", "NOPE").code == 10


@pytest.mark.parametrize(
    ("name", "width", "headings"),
    [
        # A name is cut only where nothing else can be left out.
        ("N" * 40, 80, ["DEPTH", "FULL", "OLDEST"]),
        ("N" * 48, 80, ["DEPTH", "OLDEST"]),
        ("N" * 48, 130, ["DEPTH", "FULL", "TREND", "PUT/S", "GET/S", "OLDEST", "IN", "T"]),
    ],
)
def test_columns_are_left_out_before_a_name_is_cut(
    name: str,
    width: int,
    headings: list[str],
) -> None:
    queues = [queue(2, name, 5)]
    _, _, heading, line = screen("QM1", [sample(1.0, *queues)], View(), queues, {2: 0}, width)
    assert name in line[0][1]
    assert heading[0][1].split()[3:] == headings


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (View(), ["A"]),
        (View(shows_system=True), ["SYSTEM.FULL", "SYSTEM.BUSY", "A"]),
        (
            View(shows_system=True, shows_empty=True),
            ["SYSTEM.FULL", "SYSTEM.BUSY", "A", "SYSTEM.EMPTY"],
        ),
    ],
)
def test_empty_queues_of_the_system_are_shown_if_asked_for(view: View, expected: list[str]) -> None:
    queues = [queue(1, "A"), queue(2, "SYSTEM.EMPTY"), queue(3, "SYSTEM.FULL", depth=1)]
    before, now = (sample(at, *queues, queue(4, "SYSTEM.BUSY", puts=int(at))) for at in (0.0, 1.0))
    names = [each.name for each in ordered([before, now], view)]
    assert sorted(names) == sorted(expected)


def test_all_lists_empty_queues_of_the_system(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    name = "SYSTEM.ADMIN.ACTIVITY.QUEUE"
    assert name not in mqsc("top").out
    assert name in mqsc("top", "--all").out
