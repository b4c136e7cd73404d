"""The longest values that options of commands accept."""

from __future__ import annotations

from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRCCF
from tests.mqsc.verbs.asking import answer
from tests.rows import rows

TOO_LONG = ("AMQ8413E", MQRCCF.CFST_STRING_LENGTH_ERR)
OUT_OF_RANGE = ("AMQ8412E", MQRCCF.ATTR_VALUE_ERROR)


# As in MQ's structures: MQ_Q_NAME_LENGTH, MQ_IP_ADDRESS_LENGTH and so on.
@rows(
    ("DEFINE QLOCAL(A) LIKE({})", 48),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('{}')", 48),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1') CLNTUSER('{}')", 64),
    ("DISPLAY CHLAUTH(A) MATCH(RUNCHECK) ADDRESS('10.1.1.1') QMNAME('{}')", 48),
    ("DISPLAY CHSTATUS(*) CONNAME('{}')", 264),
    ("DISPLAY CHSTATUS(*) XMITQ({})", 48),
    ("DISPLAY CLUSQMGR(*) CHANNEL({})", 20),
    ("DISPLAY QUEUE(*) CFSTRUCT({})", 12),
    ("DISPLAY QUEUE(*) CLUSTER({})", 48),
    ("DISPLAY QUEUE(*) STGCLASS({})", 8),
    ("MOVE QLOCAL(A) TOQLOCAL({})", 48),
    ("RESET CLUSTER(A) ACTION(FORCEREMOVE) QMID('{}')", 48),
    ("RESET CLUSTER(A) ACTION(FORCEREMOVE) QMNAME({})", 48),
    ("RESET QMGR TYPE(PUBSUB) CHILD({})", 48),
    ("RESET QMGR TYPE(PUBSUB) PARENT({})", 48),
    ("START CHINIT INITQ({})", 48),
    ("START LISTENER IPADDR('{}')", 48),
    ("START LISTENER LUNAME('{}')", 8),
    ("STOP CHANNEL(A) CLIENTID('{}')", 23),
    ("STOP CHANNEL(A) CONNAME('{}')", 264),
    ("STOP CHANNEL(A) QMNAME({})", 48),
    ("STOP LISTENER IPADDR('{}')", 48),
    ("SUSPEND QMGR CLUSTER({})", 48),
    ("SUSPEND QMGR CLUSNL({})", 48),
)
def test_the_longest_text_and_one_byte_more(qmgr: QueueManager, command: str, longest: int) -> None:
    assert answer(qmgr, command.format("A" * longest)) != TOO_LONG
    assert answer(qmgr, command.format("A" * (longest + 1))) == TOO_LONG


@rows(
    ("DISPLAY QUEUE(*) PSID({})", 0, 99),
    ("PING CHANNEL(A) DATALEN({})", 16, 32_768),
    ("REFRESH QMGR TYPE(CONFIGEV) INCLINT({})", 0, 999_999),
    ("RESET CHANNEL(A) SEQNUM({})", 1, 999_999_999),
    ("START LISTENER PORT({})", 1, 65_535),
    ("STOP LISTENER PORT({})", 1, 65_535),
)
def test_the_smallest_and_the_largest_number(
    qmgr: QueueManager,
    command: str,
    smallest: int,
    largest: int,
) -> None:
    for number, fits in (
        (smallest - 1, False),
        (smallest, True),
        (largest, True),
        (largest + 1, False),
    ):
        if number >= 0:
            assert (answer(qmgr, command.format(number)) != OUT_OF_RANGE) is fits
