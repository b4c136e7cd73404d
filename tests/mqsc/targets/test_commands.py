"""Commands with --on: each says of the copy what it says of the store elsewhere."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from mqsc.cli.demo import play
from mqsc.store import open_store
from tests.mqsc.conftest import Command
from tests.mqsc.console.test_help import PATHS
from tests.mqsc.targets.far_end import FarEnd

TAKES_ON = {
    *("export", "diff", "check", "browse", "expiry", "poison", "blame", "whatif"),
    *("dlq show", "dlq check", "dlq test", "trigger explain", "channel explain"),
    *("auth explain", "auth matrix", "auth check", "snapshot", "apply", "run"),
}


def test_a_command_takes_on_or_refuses_it() -> None:
    for path, command in PATHS.items():
        option = next((each for each in command.params if "--on" in each.opts), None)
        ours = command.callback is not None and not command.callback.__module__.startswith(
            "mqsc.ibm"
        )
        assert (option is not None) is ours, path
        if isinstance(option, click.Option):
            assert option.hidden is (path.removeprefix("mqsc ") not in TAKES_ON), path


def test_the_refusal_is_one_sentence(mqsc: Command, far: FarEnd) -> None:
    for words in (("put", "ORDERS", "x"), ("top",), ("qmgr", "end", "QM1")):
        refused = mqsc(*words, "--on", "far")
        assert refused.code == 20
        assert refused.err.splitlines()[-1].endswith(
            "works on queue managers of the store only; it takes no --on",
        )
    assert far.calls == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("export", "--on", "far", "--as-of", "1"), "--as-of is for the past of this store"),
        (("--store", "x.db", "export", "--on", "far"), "--store and --on cannot be used together"),
        (("-m", "QM2", "export", "--on", "far"), "far is the queue manager QM1; leave -m QM2 out"),
        (("diff", "--on", "far", "--from", "1"), "--from compares the past of this store"),
        (("check", "--on", "far", "x.mqsc"), "--on checks what is there; leave FILEs out"),
        (("check",), "Missing argument 'FILE'"),
        (("whatif", "--on", "far", "ALTER QMGR"), "--on has no history; give --rules alone"),
        (("whatif", "ALTER QMGR"), "Missing option '--since'"),
        (("browse", "ORDERS", "--most", "5"), "--most is for --on"),
    ],
)
def test_wrong_options(mqsc: Command, far: FarEnd, words: tuple[str, ...], said: str) -> None:
    refused = mqsc(*words)
    assert refused.code == 20
    assert said in refused.err


def test_messages_are_browsed(mqsc: Command, far: FarEnd) -> None:
    there = ("--store", str(far.store))
    mqsc(*there, "put", "ORDERS", "one", "two", "three", "--property", "colour=red")
    assert mqsc("browse", "ORDERS", "--on", "far").out == mqsc(*there, "browse", "ORDERS").out
    assert far.calls[1:] == ["dmpmqmsg -m QM1 -i ORDERS -f stdout -r 1..1000"]
    # An alias is that queue. Reading has changed nothing.
    two = mqsc("browse", "SALES", "--on", "far", "--most", "2", "--format", "jsonl")
    assert [row["body"]["text"] for row in two.rows] == ["one", "two"]
    assert two.err == "mqsc: only the first 2 messages of ORDERS were read; --most reads more\n"
    assert len(mqsc(*there, "browse", "ORDERS", "--format", "jsonl").rows) == 3
    assert "AMQ8147E" in mqsc("expiry", "NONE", "--on", "far").err
    from_file = mqsc("browse", "ORDERS", "--from-file", "targets.toml")
    assert from_file.code == 20


def test_a_dump_has_no_messages(mqsc: Command, far: FarEnd) -> None:
    Path("dump").write_text(mqsc("--store", str(far.store), "dmpmqcfg", "-a").out)
    refused = mqsc("-m", "QM1", "browse", "ORDERS", "--from-file", "dump")
    assert refused.code == 20
    assert "dump has definitions and no messages" in refused.err


def test_a_full_queue_that_takes_no_puts_is_browsed(mqsc: Command, far: FarEnd) -> None:
    there = ("--store", str(far.store))
    mqsc(*there, "put", "ORDERS", *"1234567")
    mqsc(*there, "run", "-c", "ALTER QLOCAL(ORDERS) PUT(DISABLED) MAXDEPTH(3) MAXMSGL(0)")
    rows = mqsc("browse", "ORDERS", "--on", "far", "--format", "jsonl").rows
    assert [row["body"]["text"] for row in rows] == [*"1234567"]
    exported = mqsc("export", "--messages", "ORDERS", "--on", "far")
    assert (
        exported.out.splitlines()[3:]
        == (mqsc(*there, "export", "--messages", "ORDERS").out.splitlines()[3:])
    )


def test_expiry_and_triggering_know_depths_and_handles(mqsc: Command, far: FarEnd) -> None:
    there = ("--store", str(far.store))
    mqsc(*there, "put", "ORDERS", "a", "b", "--expiry", "1h")
    (row,) = mqsc("expiry", "O*", "--all", "--on", "far", "--format", "json").rows
    assert (row["queue"], row["depth"], len(row["next"])) == ("ORDERS", 2, 1)
    with open_store(f"sqlite:///{far.store}") as store, store.queue_manager("QM1").connect() as app:
        app.open("ORDERS", 1)
        explained = mqsc("trigger", "explain", "ORDERS", "--on", "far")
    assert "IPPROCS(1) on ORDERS: a program has the queue open for input" in explained.out
    assert "depth 2" in explained.lines[0]


def test_authorities_and_channels(mqsc: Command, far: FarEnd) -> None:
    allowed = mqsc("auth", "explain", "app", "ORDERS", "put", "--on", "far")
    assert (allowed.code, allowed.lines[0]) == (10, "ALLOWED: app may put on ORDERS.")
    assert "but    app may not connect" in allowed.out
    refused = mqsc("auth", "explain", "app", "ORDERS", "get", "--on", "far")
    assert (refused.code, refused.lines[0]) == (10, "REFUSED 2035: app may not get from ORDERS.")
    assert "app" in mqsc("auth", "matrix", "--on", "far").out
    assert mqsc("auth", "check", "--on", "far").code in (0, 10)
    explained = mqsc("channel", "explain", "TO.QM2", "--on", "far")
    assert "TO.QM2 (SDR) at QM1" in explained.lines[0]
    assert "definitions only" in explained.err


def test_advice_on_what_is_there(mqsc: Command, far: FarEnd) -> None:
    mqsc("--store", str(far.store), "run", "-c", "DEFINE QALIAS(LOST) TARGET(NOWHERE)")
    checked = mqsc("check", "--on", "far", "--format", "json")
    assert "NOWHERE" in checked.out


def test_drift_is_exit_code_2(mqsc: Command, far: FarEnd) -> None:
    Path("defs").mkdir()
    Path("defs/qm1.mqsc").write_text(mqsc("export", "--on", "far").out)
    watched = ("diff", "--on", "far", "defs", "--only-defined", "--quiet")
    same = mqsc(*watched)
    assert (same.code, same.out, same.err) == (0, "", "")
    mqsc("--store", str(far.store), "run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(8)")
    drifted = mqsc(*watched)
    assert drifted.code == 2
    assert [line.split()[:2] for line in drifted.lines] == [
        ["UPDATE", "QLOCAL(ORDERS)"],
        ["MAXDEPTH", "8"],
    ]


@pytest.fixture
def depot(tmp_path: Path, mqsc: Command) -> FarEnd:
    """The queue manager DEPOT of the demonstration, which has dead letters, as a far end."""
    far = FarEnd(tmp_path / "depot", "DEPOT").on_a_store()
    with open_store(f"sqlite:///{far.store}") as store:
        play(store)
    far.declare(tmp_path / "targets.toml")
    return far


RULES = {
    "retry": "REASON(MQRC_Q_FULL) ACTION(RETRY)",
    "forward": "ACTION(FWD) FWDQ(STOCK) HEADER(NO)",
    "discard": "DESTQ('ST*') ACTION(DISCARD)",
    "ignore": "REASON(1) ACTION(IGNORE)",
    "none": "FORMAT(X) ACTION(FWD) FWDQ(NOWHERE)",
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_a_rules_table_is_tried_on_the_dead_letters_there(
    mqsc: Command,
    depot: FarEnd,
    rules: str,
) -> None:
    """N15: the answer is that of the store elsewhere, and no dead letter was touched."""
    Path("r.rul").write_text(f"INPUTQM(DEPOT)\n{rules}\n")
    there = ("--store", str(depot.store))
    before = mqsc(*there, "-m", "DEPOT", "dlq", "show", "--summary").out.count("2053")
    for options in ((), ("--explain",), ("--format", "json")):
        tried = mqsc("dlq", "test", "r.rul", "--on", "far", *options).out
        assert tried == mqsc(*there, "dlq", "test", "r.rul", *options).out
    letters = mqsc(*there, "-m", "DEPOT", "dlq", "show", "--format", "jsonl").out
    Path("letters.jsonl").write_text(letters)
    from_file = ("dlq", "test", "r.rul", "--messages", "letters.jsonl")
    assert mqsc(*from_file, "--on", "far").out == mqsc(*there, *from_file).out
    assert mqsc(*there, "-m", "DEPOT", "dlq", "show", "--summary").out.count("2053") == before > 0


def test_dead_letters_and_what_rules_would_do(mqsc: Command, depot: FarEnd) -> None:
    shown = mqsc("dlq", "show", "--on", "far", "--format", "json")
    there = mqsc("--store", str(depot.store), "-m", "DEPOT", "dlq", "show", "--format", "json")
    assert {row["dead_letter"]["reason_name"] for row in shown.rows} == {"MQRC_Q_FULL"}
    # When they came there, to hundredths of a second.
    assert [row["put_at"][:22] for row in shown.rows] == [row["put_at"][:22] for row in there.rows]
    Path("r.rul").write_text("INPUTQM(DEPOT)\nACTION(FWD) FWDQ(NOWHERE)\n")
    assert "there is no queue NOWHERE" in mqsc("dlq", "check", "r.rul", "--on", "far").out
    Path("r.rul").write_text("INPUTQM(DEPOT)\nACTION(DISCARD)\n")
    played = mqsc("whatif", "--rules", "r.rul", "--on", "far")
    assert played.code == 2
    assert "would have been moved or discarded by the handler" in played.out


def test_poison_messages_have_their_counts(mqsc: Command, tmp_path: Path, depot: FarEnd) -> None:
    shop = FarEnd(tmp_path / "shop", "SHOP")
    shop.store = depot.store
    shop.on_a_store().declare(tmp_path / "targets.toml")
    there = mqsc("--store", str(depot.store), "-m", "SHOP", "poison", "--format", "json").rows
    here = mqsc("poison", "--on", "far", "--format", "json").rows
    unknown = {"last_backout": None}
    assert here == [{**row, **unknown} for row in there]
    assert any(row["backout_count"] for row in here)
