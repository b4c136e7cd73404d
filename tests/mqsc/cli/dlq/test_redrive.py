"""`mqsc dlq retry`, `forward` and `discard`."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from mqsc.console.text.reasons import reason_text
from tests.mqsc.cli.dlq.conftest import bodies
from tests.mqsc.conftest import Command
from tests.mqsc.session import Session

pytestmark = pytest.mark.usefixtures("qmgr")
ADVICE = (
    "mqsc: to move a message of unknown destination: mqsc dlq forward DLQ --to QUEUE --msg-id HEX"
)


def test_retry(mqsc: Command, session: Session) -> None:
    """A dry run moves nothing, and foretells what happens."""
    for _ in range(2):
        foreseen = session(f"""
            dlq retry --plan => 10 !| mqsc: DLQ: 2 would succeed, 2 would fail, 1 skipped; 3 would remain
                !| {ADVICE}
                > would be done
        """)
    ended = session(f"""
        dlq retry => 10 !| mqsc: DLQ: 2 done, 2 failed, 1 skipped; 3 remain on the queue
            !| {ADVICE}
            > done
    """)
    done, explained = ended.lines[:5], ended.lines[5:]
    assert (
        explained
        == ["", *(reason_text(reason) for reason in (2053, 2085, 2051))]
        == foreseen.lines[5:]
    )
    assert [line.split("  ", 1)[1] for line in done] == [
        "2053 MQRC_Q_FULL to Q1 on QM1  done",
        "2085 MQRC_UNKNOWN_OBJECT_NAME to THROWN on QM1  failed: 2085 MQRC_UNKNOWN_OBJECT_NAME",
        "2053 MQRC_Q_FULL to NOWHERE on QM1  failed: 2085 MQRC_UNKNOWN_OBJECT_NAME",
        "2051 MQRC_PUT_INHIBITED to Q1 on QM1  done",
        "no MQDLH  skipped: origin unknown: billing put it here, with no recorded get of it from "
        "another queue in the "
        "same unit of work",
    ]
    assert bodies(mqsc, "Q1") == [{"text": "m1"}, {"text": "m4"}]


def test_retry_of_some(session: Session) -> None:
    session("""
        dlq retry --destination Q1 --plan
            !| mqsc: DLQ: 2 would succeed, 0 would fail, 0 skipped; 3 would remain
        dlq retry --limit 1 --quiet => !|
            |
        dlq retry --plan => 10 ! mqsc: DLQ: 1 would succeed, 2 would fail, 1 skipped; 3 would remain
            > done
        dlq retry --destination Q1 => !| mqsc: DLQ: 1 done, 0 failed, 0 skipped; 3 remain on the queue
        dlq retry --format jsonl => 10 ! mqsc: DLQ: 0 done, 2 failed, 1 skipped; 3 remain on the queue
            .result ["failed", "failed", "no header"]
    """)


def test_forward(mqsc: Command, session: Session) -> None:
    session("""
        dlq forward --to REST --reason 2085
        dlq forward DLQ --to REST --to-q-mgr QM1 --strip-header --limit 1
    """)
    with_header, without = bodies(mqsc, "REST")
    assert ("base64" in with_header, without) == (True, {"text": "m1"})


def test_discard(mqsc: Command, session: Session) -> None:
    (row,) = session("dlq discard --destination NOWHERE --format json").rows
    assert (row["result"], row["target"], row["dead_letter"]["dest_q_name"]) == (
        "moved",
        None,
        "NOWHERE",
    )
    session("dlq discard --all")
    assert bodies(mqsc, "DLQ") == []


def test_discarded_messages_are_saved_first(
    mqsc: Command,
    session: Session,
    tmp_path: Path,
) -> None:
    """Messages are appended to the file, which can be put back. A dry run saves nothing."""
    before = session("browse DLQ --format json").rows
    session("dlq discard --all --save gone.jsonl --plan")
    assert not (tmp_path / "gone.jsonl").exists()
    session("dlq discard --reason 2053 --save gone.jsonl\ndlq discard --all --save gone.jsonl")
    saved = (tmp_path / "gone.jsonl").read_bytes()
    assert stat.S_IMODE((tmp_path / "gone.jsonl").stat().st_mode) == 0o600
    assert [json.loads(line) for line in saved.splitlines()] == [
        before[each] for each in (0, 2, 1, 3, 4)
    ]
    assert mqsc("put", "DLQ", "-", "--json", stdin=saved).code == 0
    assert len(bodies(mqsc, "DLQ")) == 5


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_message_that_cannot_be_saved_is_not_discarded(mqsc: Command, session: Session) -> None:
    told = "/dev/full cannot be written: No space left on device; the message was not discarded"
    session(f"dlq discard --all --save /dev/full => 10 ! {told}")
    assert len(bodies(mqsc, "DLQ")) == 5


def test_what_is_refused_moves_nothing(mqsc: Command, session: Session) -> None:
    session("""
        dlq ...
        retry NOPE => 10 ! AMQ8147E
        retry --rate 0 => 20 ! --rate
        retry --limit 0 => 20 ! --limit
        forward => 20 ! Missing option '--to'
        forward --to DLQ => 20 ! leads back to DLQ
        forward --to NOSUCH --limit 1 => 10 ! cannot forward to NOSUCH: 2085 MQRC_UNKNOWN_OBJECT_NAME
        forward --to NOSUCH --plan => 10 ! no message was moved
        forward --to REST --to-q-mgr QM9 => 10 ! cannot forward to REST on QM9: 208
        discard --all --save no/such/folder => 20 ! no/such/folder cannot be written
        discard --all --save store.db => 20 ! store.db is the store itself
        discard => 20 ! select the messages to delete
        frobnicate => 20 ! No such command
    """)
    assert len(bodies(mqsc, "DLQ")) == 5
