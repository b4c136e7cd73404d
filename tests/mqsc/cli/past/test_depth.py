"""`mqsc depth`: the depth of a queue in the past."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import mqsc as product
from mqsc.cli.past.depth import chart
from mqsc.store.admin.event_search import EventSelection, events, last_event
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import MQError
from mqsc.store.past.depths import OF_QUEUES, OF_UNITS, DepthAfter, change_of, past_depths
from tests.mqsc.conftest import Command

STEPS = 400


def current_depth(qmgr: QueueManager) -> int:
    (reply,) = product.run(qmgr, "DISPLAY QLOCAL(A) CURDEPTH")
    return int(reply.rows[0]["CURDEPTH"])


def test_the_depth_after_each_step_is_that_of_then(
    qmgr: QueueManager,
    environment: Environment[FrozenClock],
) -> None:
    chance = random.Random(7)
    product.run(qmgr, "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B)")
    known: dict[int, int] = {}
    with qmgr.connect() as program, qmgr.connect() as other:
        handles = [each.open("A", MQOO.INPUT_SHARED | MQOO.OUTPUT) for each in (program, other)]

        def put(options: int) -> None:
            descriptor = product.MessageDescriptor(expiry=chance.choice((-1, 5)))
            chance.choice(handles).put(
                product.Message(b"x", descriptor),
                product.PutMessageOptions(options),
            )

        steps: dict[str, tuple[int, Callable[[], object]]] = {
            "put": (8, lambda: put(MQPMO.NO_SYNCPOINT)),
            "put in unit": (4, lambda: put(MQPMO.SYNCPOINT)),
            "get": (
                4,
                lambda: chance.choice(handles).get(product.GetMessageOptions(MQGMO.NO_SYNCPOINT)),
            ),
            "get in unit": (
                4,
                lambda: chance.choice(handles).get(product.GetMessageOptions(MQGMO.SYNCPOINT)),
            ),
            "commit": (2, lambda: chance.choice((program, other)).commit()),
            "back": (2, lambda: chance.choice((program, other)).back()),
            "time": (1, lambda: environment.clock.advance(1_000_000)),
            "scan": (1, lambda: product.run(qmgr, "REFRESH QMGR TYPE(EXPIRY)")),
            "move": (1, lambda: product.run(qmgr, "MOVE QLOCAL(B) TOQLOCAL(A)")),
            "away": (1, lambda: product.run(qmgr, "MOVE QLOCAL(A) TOQLOCAL(B)")),
        }
        for name in chance.choices([*steps], [weight for weight, _ in steps.values()], k=STEPS):
            with suppress(MQError):
                steps[name][1]()
            known[last_event(qmgr.store)] = current_depth(qmgr)
    found = past_depths(qmgr, "A")
    line = [*found.points()]
    assert found.before == 0
    # As event by event.
    selections = EventSelection(queue="A", kinds=OF_QUEUES), EventSelection(kinds=OF_UNITS)
    changes = {
        each.seq: change_of(each, "A")
        for chosen in selections
        for each in events(qmgr.store, chosen)
    }
    assert {each.seq: each.change for each in line} == {
        seq: change for seq, change in changes.items() if change
    }
    for seq, depth in known.items():
        last = next((point.depth for point in reversed(line) if point.seq <= seq), 0)
        assert last == depth, f"after event {seq}"
    assert len({*known.values()}) > 10


def test_the_chart() -> None:
    points = [
        DepthAfter(1, 20, "PUT", 1, 8),
        DepthAfter(2, 50, "GET", -1, 4),
        DepthAfter(3, 99, "GET", -4, 0),
    ]
    assert [line.rstrip() for line in chart(points, 2, 0, 100, 10, 2)] == [
        "8 ┤ ████",
        "  ┤▄█████████",
        "0 ┼──────────",
        "   1970-01-01 00:00:00 1970-01-01 00:00:00",
    ]


def test_a_queue_on_the_command_line(mqsc: Command) -> None:
    mqsc("run", "-c", "DEFINE QLOCAL(A)")
    mqsc("put", "A", "x", "y", "z")
    mqsc("get", "A")
    rows = [json.loads(line) for line in mqsc("depth", "A", "--format", "jsonl").out.splitlines()]
    assert [(row["kind"], row["change"], row["depth"]) for row in rows] == [
        ("PUT", 1, 1),
        ("PUT", 1, 2),
        ("PUT", 1, 3),
        ("GET", -1, 2),
    ]
    lines = mqsc("depth", "a", "--since", "10m", "--height", "3").lines
    assert (lines[0], lines[1][:3], lines[4][:3], len(lines)) == (
        "A: 2 messages now",
        "3 ┤",
        "0 ┼",
        6,
    )
    # The end of the chart is earlier; the line is about now all the same.
    mqsc("get", "A")
    assert mqsc("depth", "A", "--since", "10m", "--until", "1s").lines[0] == "A: 1 message now"
    assert mqsc("depth", "A", "--until", "2020-01-01").code == 20
    assert mqsc("depth", "NOPE").code == 10


def test_what_is_not_known_is_said(mqsc: Command, tmp_path: Path) -> None:
    mqsc("qmgr", "create", "QM1", "--clock", "manual")
    mqsc("run", "-c", "DEFINE QLOCAL(A)", "-c", "DEFINE QLOCAL(OFF) ACCTQ(OFF)")
    for body in ("x", "y"):
        mqsc("put", "A", body)
    assert mqsc("depth", "A").err == ""
    assert "ACCTQ(OFF)" in mqsc("depth", "OFF").err
    mqsc("get", "A")
    mqsc("archive", "--to", str(tmp_path / "archive"))
    mqsc("put", "A", "z")
    ended = mqsc("depth", "A", "--format", "jsonl")
    assert [json.loads(line)["depth"] for line in ended.out.splitlines()] == [2]
    assert "were archived and removed: earlier depths are not known" in ended.err


def test_the_axis_has_marks_with_times() -> None:
    hour = 3_600_000_000
    *_, axis, times = chart([], 1, 9 * hour, 10 * hour, 68, 2)
    assert axis.index("┬") == axis.index("┼") + 1 + 34
    assert times.split() == ["1970-01-01", "09:00:00", "09:30", "1970-01-01", "10:00:00"]
