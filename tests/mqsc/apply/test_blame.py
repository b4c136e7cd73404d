"""`mqsc blame`: who set the attributes of an object."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mqsc.scripts.past_definitions import blame
from mqsc.store.rules.message_trace import TracedEvent
from tests.mqsc.conftest import Command


def event(seq: int, kind: str, **changes: list[object]) -> TracedEvent:
    empty = dict.fromkeys(TracedEvent._fields)
    return TracedEvent(
        **{  # type: ignore[arg-type]
            **empty,
            "seq": seq,
            "at": seq,
            "kind": kind,
            "detail": {"place": f"a:{seq}", **changes},
        },
    )


def test_the_values_of_an_attribute() -> None:
    events = [
        event(1, "DEFINE", A=[None, 1], TYPE=[None, "X"]),
        event(2, "ALTER", A=[1, 2], B=[None, "b"]),
        event(3, "SET", C=["YES", "NO"]),
        event(4, "ALTER", A=[2, 3]),
    ]
    found = blame(events)
    values = {
        word: [(each.value, each.event.seq) for each in given if each.event]
        for word, given in found.values.items()
    }
    assert values == {
        "A": [(1, 1), (2, 2), (3, 4)],
        "TYPE": [("X", 1)],
        "B": [("b", 2)],
        # The value with which it was defined.
        "C": [("YES", 1), ("NO", 3)],
    }
    assert (found.defined, found.deleted) == (events[0], None)


def test_an_object_that_was_deleted_and_defined_again() -> None:
    deleted = event(2, "DELETE", A=[1, None])
    assert blame([event(1, "DEFINE", A=[None, 1]), deleted]).deleted == deleted
    again = blame([event(1, "DEFINE", A=[None, 1]), deleted, event(3, "DEFINE", B=[None, 2])])
    assert ([*again.values], again.deleted) == (["B"], None)


def test_a_history_that_begins_later() -> None:
    (before, now) = blame([event(7, "ALTER", A=[1, 2])]).values["A"]
    assert (before.value, before.event, now.value) == (1, None, 2)


@pytest.fixture
def script(mqsc: Command, tmp_path: Path) -> Path:
    """A script that defined a queue and altered the queue manager; the queue was altered by
    hand, too.
    """
    file = tmp_path / "setup.mqsc"
    file.write_text(
        "* set-up\nDEFINE QLOCAL(A) MAXDEPTH(10) +\n  DESCR('one')\n"
        "ALTER QMGR DEADQ(DLQ)\nDEFINE CHANNEL(C) CHLTYPE(RCVR)\n",
    )
    mqsc("run", str(file))
    mqsc("run", "-c", "ALTER QLOCAL(A) MAXDEPTH(20) GET(DISABLED)")
    return file


def test_a_queue(mqsc: Command, script: Path) -> None:
    heading, *lines = mqsc("blame", "ql(a)").lines
    assert heading.split() == "ATTRIBUTE VALUE SINCE COMMAND USER WHERE".split()
    cells = {line.split()[0]: line.split() for line in lines if line[0] != " "}
    assert [*cells] == ["DESCR", "GET", "MAXDEPTH"]
    assert cells["DESCR"][-1] == f"{script}:2"
    assert [each for each in cells["MAXDEPTH"] if "-" not in each and ":" not in each][:3] == [
        "MAXDEPTH",
        "20",
        "ALTER",
    ]
    # The value before, and who set that.
    assert (lines[-1].split()[0], lines[-1].split()[-1]) == ("10", f"{script}:2")
    unset = mqsc("blame", "QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE)").err
    assert unset.startswith(
        "mqsc: no attribute of QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) was ever set; see --all; it was "
        "defined "
    )
    (row,) = json.loads(mqsc("blame", "QLOCAL(A)", "maxdepth", "--format", "json").out)
    assert (row["value"], row["place"], row["command"]) == (20, None, "ALTER")
    assert [(each["value"], each["place"], each["command"]) for each in row["earlier"]] == [
        (10, f"{script}:2", "DEFINE"),
    ]
    assert "MAXMSGL" in mqsc("blame", "QLOCAL(A)", "--all").out


def test_who_defined_what_has_no_attribute(mqsc: Command, tmp_path: Path) -> None:
    file = tmp_path / "dlq.mqsc"
    file.write_text("DEFINE QLOCAL(SHOP.DLQ)\n")
    mqsc("run", str(file))
    (event,) = mqsc("history", "SHOP.DLQ", "--kind", "DEFINE", "--format", "json").rows
    assert mqsc("blame", "QLOCAL(SHOP.DLQ)").err == (
        "mqsc: no attribute of QLOCAL(SHOP.DLQ) was ever set; see --all; it was defined "
        f"{event['at'][:19]}Z by {event['user']}, {file}:1\n"
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("QMGR", "DEADQ"), "DEADQ      DLQ"),
        (("channel('C')",), "CHLTYPE    RCVR"),
        (("QLOCAL(SYSTEM.DEAD.LETTER.QUEUE)", "MAXDEPTH"), "MAXDEPTH   999999999"),
    ],
)
@pytest.mark.usefixtures("script")
def test_other_objects(mqsc: Command, words: tuple[str, ...], says: str) -> None:
    assert mqsc("blame", *words).lines[1].startswith(says)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (
            ("nonsense",),
            20,
            "'nonsense' is not an object; write QLOCAL(ORDERS), CHANNEL(TO.QM2) or QMGR",
        ),
        (("QMRG",), 20, "'QMRG' is not an object; did you mean QMGR?"),
        (("QLOACL(A)",), 20, "'QLOACL(A)' is not an object; did you mean QLOCAL?"),
        # A name without its type, which is like the word QREMOTE.
        (("QUOTES",), 20, "'QUOTES' is not an object; write QLOCAL(ORDERS), CHANNEL(TO.QM2) or"),
        (("QLOCAL(A*)",), 20, "A* may be several objects; name one"),
        (("QLOCAL()",), 20, "'QLOCAL()' is not an object"),
        (("CHLAUTH(X)",), 20, "CHLAUTH has no attributes of its own to blame"),
        (("QLOCAL(NOPE)",), 10, "there is no QLOCAL(NOPE), and the history has none"),
        (("QLOCAL('a')",), 10, "there is no QLOCAL(a)"),
        (("QLOCAL(A)", "NOPE"), 10, "QLOCAL has no attribute NOPE"),
    ],
)
@pytest.mark.usefixtures("script")
def test_what_is_refused(mqsc: Command, words: tuple[str, ...], code: int, says: str) -> None:
    ended = mqsc("blame", *words)
    assert (ended.code, ended.out) == (code, "")
    assert says in ended.err


def test_a_deleted_object(mqsc: Command, script: Path) -> None:
    script.write_text("\nDELETE QLOCAL(A)\n")
    mqsc("run", str(script))
    assert f", {script}:2" in mqsc("blame", "QLOCAL(A)").err
