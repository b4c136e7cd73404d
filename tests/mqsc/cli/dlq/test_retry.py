"""`mqsc dlq retry`."""

from __future__ import annotations

import pytest

from mqsc.console.text.reasons import reason_text
from store.client.api import QueueManager
from tests.mqsc.cli.dlq.conftest import depth, objects
from tests.mqsc.conftest import Command

ADVICE = "mqsc: to move a message of unknown destination: mqsc dlq forward DLQ --to QUEUE --msg-id HEX\n"


def test_retry(mqsc: Command, qmgr: QueueManager) -> None:
    foreseen = mqsc("dlq", "retry", "--dry-run")
    assert (foreseen.code, foreseen.err) == (
        10,
        "mqsc: DLQ: 2 would succeed, 2 would fail, 1 skipped; 3 would remain\n" + ADVICE,
    )
    ended = mqsc("dlq", "retry")
    assert (ended.code, ended.err) == (10, "mqsc: DLQ: 2 done, 2 failed, 1 skipped; 3 remain on the queue\n" + ADVICE)
    done, explained = ended.lines[:5], ended.lines[5:]
    assert explained == ["", *(reason_text(reason) for reason in (2053, 2085, 2051))]
    assert [line.split("  ", 1)[1] for line in done] == [
        "2053 MQRC_Q_FULL to Q1 on QM1  done",
        "2085 MQRC_UNKNOWN_OBJECT_NAME to THROWN on QM1  failed: 2085 MQRC_UNKNOWN_OBJECT_NAME",
        "2053 MQRC_Q_FULL to NOWHERE on QM1  failed: 2085 MQRC_UNKNOWN_OBJECT_NAME",
        "2051 MQRC_PUT_INHIBITED to Q1 on QM1  done",
        "no MQDLH  skipped: origin unknown: billing put it here, with no recorded get of it from another queue in the "
        "same unit of work",
    ]
    assert len(foreseen.lines) == len(ended.lines)
    assert [row["body"]["text"] for row in objects(mqsc("browse", "Q1", "--format", "json").out)] == ["m1", "m4"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("retry", "NOPE"), 10, "AMQ8147E"),
        (("retry", "--rate", "0"), 20, "--rate"),
        (("retry", "--limit", "0"), 20, "--limit"),
    ],
)
def test_by_hand_that_fails(
    mqsc: Command, qmgr: QueueManager, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ended = mqsc("dlq", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert depth(mqsc, "DLQ") == 5
