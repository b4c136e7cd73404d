"""MQGET: expired messages before the selected one, the result and the handle afterwards, invalid
values, fairness.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat
from random import Random

import pytest

from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQMF, MQMO, MQOO, MQPMO, MQRC, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import FrozenClock
from mqsc.store.error import MQError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi.get_fairness import PATIENCE, GetFairness
from mqsc.store.mqi.message_choice import Selection, selection
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import waiter
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.rows import rows
from tests.store.admin.looking import history, queue_row
from tests.store.mqi.calls import reason_of
from tests.store.plays import plays


@pytest.fixture
def qmgr(qmgr: QueueManager) -> QueueManager:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    return qmgr


@pytest.fixture
def handle(qmgr: QueueManager) -> Iterator[ObjectHandle]:
    """Q, open for all that is needed here."""
    with qmgr.connect() as connection:
        yield connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.OUTPUT)


@pytest.mark.parametrize("options", [0, MQGMO.ACCEPT_TRUNCATED_MSG, MQGMO.BROWSE_FIRST])
def test_a_buffer_of_a_negative_length_is_2005(handle: ObjectHandle, options: int) -> None:
    handle.put(Message(b"abc"))
    assert (
        reason_of(lambda: handle.get(GetMessageOptions(options, buffer_length=-1)))
        == MQRC.BUFFER_LENGTH_ERROR
    )
    assert handle.get().body == b"abc"


@pytest.mark.parametrize("value", [1 << 31, -(1 << 70), "1"])
@pytest.mark.parametrize(
    ("name", "match"),
    [("msg_seq_number", MQMO.MATCH_MSG_SEQ_NUMBER), ("offset", MQMO.MATCH_OFFSET)],
)
def test_a_number_to_match_must_be_one(
    handle: ObjectHandle,
    name: str,
    match: int,
    value: object,
) -> None:
    options = GetMessageOptions(match_options=match)
    setattr(options, name, value)
    with pytest.raises(ValueError, match=f"{name} (is|must be) "):
        handle.get(options)


@rows(
    ("options", "WAIT", "options must be int, not str"),
    ("options", None, "options must be int, not NoneType"),
    ("match_options", 1.5, "match_options must be int, not float"),
    ("wait_interval", "5", "wait_interval must be int, not str"),
    ("buffer_length", 1.5, "buffer_length must be int, not float"),
    ("msg_id", "x" * 24, "msg_id must be bytes, not str"),
)
def test_options_of_the_wrong_type(
    handle: ObjectHandle,
    name: str,
    value: object,
    said: str,
) -> None:
    options = GetMessageOptions()
    setattr(options, name, value)
    if name == "msg_id":
        options.match_options = MQMO.MATCH_MSG_ID
    handle.put(Message(b"x"))
    with pytest.raises(TypeError) as refused:
        handle.get(options)
    assert str(refused.value) == said
    assert handle.get().body == b"x"


def test_an_id_assigned_later_is_padded_too(handle: ObjectHandle) -> None:
    options = GetMessageOptions(match_options=MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID)
    handle.put([Message(b"a"), Message(b"b", MessageDescriptor(msg_id=b"B"))])
    for options.msg_id, body in ((b"B", b"b"), (b"", b"a")):
        assert handle.get(options).body == body


def test_the_context_that_is_passed_on_is_that_of_the_message_as_it_was_got(
    qmgr: QueueManager,
) -> None:
    with qmgr.connect(application="first", user="original") as connection:
        connection.put1("Q", Message(b"x"))
    with qmgr.connect(application="second") as connection:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.SAVE_ALL_CONTEXT)
        handle.get().descriptor.user_identifier = "changed"
        placed = connection.put1(
            "Q",
            Message(b"y"),
            PutMessageOptions(MQPMO.PASS_ALL_CONTEXT, context=handle),
        )
    assert (placed.user_identifier, placed.put_appl_name) == ("original", "first")


def test_an_id_to_match_is_padded_and_no_longer_than_24_bytes() -> None:
    assert GetMessageOptions(msg_id=b"x").msg_id == b"x" + bytes(23)
    with pytest.raises(ValueError, match="correl_id has 25 bytes"):
        GetMessageOptions(correl_id=bytes(25))


def expired(handle: ObjectHandle, count: int, seconds: float = 1) -> None:
    """Put `count` messages with an expiry of one second, and let `seconds` pass."""
    handle.put([Message(b"x", MessageDescriptor(expiry=10))] * count)
    clock = handle.connection.store.environment.clock
    assert isinstance(clock, FrozenClock)
    clock.advance(seconds)


@rows((0.999999, True), (1.0, False), (1.000001, False))
@pytest.mark.parametrize("options", [0, MQGMO.BROWSE_FIRST, MQGMO.SYNCPOINT])
def test_a_message_is_discarded_from_the_moment_it_expires_at(
    qmgr: QueueManager,
    handle: ObjectHandle,
    options: int,
    seconds: float,
    found: bool,
) -> None:
    """If the rule in Python and the clause in SQL disagreed, the get would repeat its search
    forever.
    """
    expired(handle, 1, seconds)
    if found:
        assert handle.get(GetMessageOptions(options)).body == b"x"
    else:
        assert reason_of(lambda: handle.get(GetMessageOptions(options))) == MQRC.NO_MSG_AVAILABLE
        assert queue_row(qmgr, "Q").depth == 0


@pytest.mark.parametrize("wait", [0, MQGMO.WAIT])
def test_a_get_that_discarded_nothing_does_not_look_again(
    qmgr: QueueManager,
    handle: ObjectHandle,
    monkeypatch: pytest.MonkeyPatch,
    wait: int,
) -> None:
    expired(handle, 1)
    monkeypatch.setattr("mqsc.store.mqi.get.AT_ONCE", 0)
    assert reason_of(lambda: handle.get(GetMessageOptions(wait))) == MQRC.NO_MSG_AVAILABLE
    assert queue_row(qmgr, "Q").depth == 1


def test_expired_messages_are_discarded_in_bounded_transactions_until_a_live_one_comes(
    qmgr: QueueManager,
    handle: ObjectHandle,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expired(handle, 5)
    monkeypatch.setattr("mqsc.store.mqi.get.AT_ONCE", 2)
    handle.put(Message(b"live"))
    assert (handle.get().body, queue_row(qmgr, "Q").depth) == (b"live", 0)


SCENARIOS = {
    "what is expired is discarded outside the unit of work": """
        put e expiry=10 · put m · advance 1 · get syncpoint => m
        back · on Q => m · history EXPIRE Q => get
    """,
    "only expired messages that the get selects, and in front of the first live one": """
        put e1 expiry=10 · put e2 expiry=10 correl_id=C · put m correl_id=C · put e3 expiry=10 correl_id=C
        advance 1 · get correl_id=C => m · on Q => e1 e3
    """,
    "the message under the cursor has expired": """
        put e expiry=10 · put m · get browse-first => e
        advance 1 · get msg-under-cursor => 2/2034 · on Q => m
    """,
    "a browse leaves what it finds, and discards what has expired": """
        put e expiry=10 · put m1 m2 · advance 1 · get browse-first => m1 · get browse-next => m2 · on Q => m1 m2
        history EXPIRE Q => browse
    """,
    "inhibited, on the way or on the queue": """
        put m · ALTER QALIAS(AL) GET(DISABLED) · get from AL => 2/2016 · get browse-first => m
        ALTER QLOCAL(Q) GET(DISABLED) · get => 2/2016 · get browse-first => 2/2016
    """,
    "a get that fails opens no unit of work": "get syncpoint => 2/2033 · begin => 1/2121",
    "a truncated message that stays joins no unit of work": """
        put m length=10 · get syncpoint buffer=1 => m 1/2080 · begin => 1/2121 · on Q => m
    """,
    "SYNCPOINT_IF_PERSISTENT": """
        put p persistence=1 · put n persistence=0
        get syncpoint-if-persistent => p · get syncpoint-if-persistent => n
        back · on Q => p
    """,
    "only one message of a unit of work can be marked to skip backout": """
        put m1 m2
        get syncpoint mark-skip-backout => m1 · get syncpoint mark-skip-backout => 2/2062 · get syncpoint => m2
    """,
    "in the middle of a group the match options must agree": """
        put a1 flags=MSG_IN_GROUP logical-order · put a2 flags=LAST_MSG_IN_GROUP logical-order
        get logical-order => a1 · get logical-order msg_id=zzz => 2/2247 · get logical-order group_id= => 2/2247
        get logical-order msg_id=a2 => a2
    """,
    "a wait that is no wait, and one of a wrong length": """
        get wait wait_interval=0 => 2/2033 · get wait wait_interval=-2 => 2/2090 · get wait_interval=-2 => 2/2033
    """,
    "data that fits its buffer exactly": (
        "put m length=10 · get buffer=10 => m 0/0 length=10 data_length=10"
    ),
    "data that is too long stays on the queue": """
        put m length=10 · get buffer=9 => m 1/2080 length=9 data_length=10
        get buffer=0 => 1/2080 length=0 data_length=10 · on Q => m
    """,
    "or is truncated and gone": """
        put m length=10 · get buffer=4 accept-truncated-msg => m 1/2079 length=4 data_length=10 · on Q => nothing
    """,
    "without a length any data fits": "put m length=5000 · get => m length=5000",
    "conversion": """
        put m codec=cp500 format=MQSTR coded_char_set_id=500 encoding=785
        get convert => m 0/0 coded_char_set_id=1208 encoding=546
    """,
    "what is as wanted is not converted": """
        put m format=MQSTR · get convert => m 0/0
        put m coded_char_set_id=1208 · get convert => m 0/0
    """,
    "a format that cannot be converted": """
        put m format=OWN coded_char_set_id=500 · get convert => m 1/2110 coded_char_set_id=500
        put m length=0 hex= coded_char_set_id=500 · get convert => coded_char_set_id=500 1/2110
    """,
    "conversion that makes data too long gives it unconverted": """
        put m hex=e9e9 format=MQSTR coded_char_set_id=819
        get convert buffer=3 => 1/2120 length=2 coded_char_set_id=819
    """,
    "conversion that makes truncated data longer truncates it": """
        put m hex=e9e9e9 format=MQSTR coded_char_set_id=819
        get convert buffer=2 accept-truncated-msg => 1/2079 length=2 data_length=6 coded_char_set_id=1208
    """,
    "what is too long and stays is not converted": """
        put m hex=e9e9e9 format=MQSTR coded_char_set_id=819
        get convert buffer=2 => 1/2080 data_length=3 coded_char_set_id=819
    """,
    "the embedded expiry ages on a transmission queue": """
        put m on XQ embedded=50 expiry=50 · advance 2 · get from XQ => embedded=30 expiry=30
    """,
}

test_get = plays("DEFINE QALIAS(AL) TARGET(Q) · DEFINE QLOCAL(XQ) USAGE(XMITQ)", SCENARIOS)


# A list of gets.

EVENTS = "SYSTEM.ADMIN.PERFM.EVENT"


def random_message(random: Random, number: int) -> Message:
    """A message that a list of gets may take, or one that has to be got alone, or one that
    expires.
    """
    grouped = random.random() < 0.2
    descriptor = MessageDescriptor(
        priority=random.choice((0, 0, 5)),
        persistence=random.choice((0, 0, 0, 1)),
        expiry=random.choice((-1, -1, -1, 10)),
        correl_id=random.choice((b"A", b"B")),
        report=random.choice((0, 0, 0, int(MQRO.COD))),
        reply_to_q="REPLIES",
        format="MQSTR",
        msg_flags=int(MQMF.MSG_IN_GROUP) * grouped,
        group_id=b"G" * grouped,
        msg_id=b"%d" % number,
    )
    return Message(b"%d" % number, descriptor)


def drained(
    handle: ObjectHandle,
    options: GetMessageOptions,
    most: Iterator[int],
) -> list[tuple[object, ...]]:
    """Get all messages, so many at a time; what their gets returned."""
    found: list[tuple[object, ...]] = []
    with suppress(MQError):
        while True:
            got = handle.get_many(next(most), options)
            found += [
                (each.body, each.completion, each.reason, each.descriptor.fields()) for each in got
            ]
    return found


@pytest.mark.parametrize(
    "asked",
    [0, MQGMO.SYNCPOINT, MQGMO.SYNCPOINT_IF_PERSISTENT, MQGMO.CONVERT, MQGMO.WAIT],
)
@pytest.mark.parametrize("seed", range(8))
def test_a_list_of_gets_does_what_the_single_gets_do(
    qmgr: QueueManager,
    seed: int,
    asked: int,
) -> None:
    random, recorded = Random(seed), []
    options = GetMessageOptions(asked, unless_backed_out=bool(seed % 2))
    if random.random() < 0.5:
        options.match_options, options.correl_id = MQMO.MATCH_CORREL_ID, b"A".ljust(24, b"\0")
    messages = [random_message(random, number) for number in range(40)]
    with_events: dict[str, int | str | list[str]] = (
        {"QSVCIEV": "OK", "QDPLOEV": "ENABLED", "MAXDEPTH": 50} if random.random() < 0.3 else {}
    )
    change_queue_manager(qmgr, {"PERFMEV": "ENABLED"})
    create(qmgr, KINDS["QLOCAL"], "REPLIES", {})
    for name in ("SINGLE", "LIST"):
        create(qmgr, KINDS["QLOCAL"], name, with_events)
        with qmgr.connect() as connection:
            handle = connection.open(name, MQOO.INPUT_SHARED | MQOO.OUTPUT)
            handle.put(messages)
            for _ in range(3):
                handle.get(
                    GetMessageOptions(
                        MQGMO.SYNCPOINT,
                        match_options=MQMO.MATCH_CORREL_ID,
                        correl_id=b"B",
                    ),
                )
            connection.back()
            clock = qmgr.store.environment.clock
            assert isinstance(clock, FrozenClock)
            clock.advance(1)
            found = drained(
                handle,
                options,
                repeat(1) if name == "SINGLE" else iter(lambda: random.randint(2, 9), 0),
            )
            connection.commit()
        row = queue_row(qmgr, name)
        times = row.short_queue_time, row.long_queue_time, row.depth, row.gets
        events = [
            # Each report has a MsgId of its own.
            (each.kind, each.cause, each.detail, each.msg_id if each.kind != "REPORT" else None)
            for each in history(qmgr.store, name)
            if each.msg_id
        ]
        with qmgr.connect() as connection:
            noted = drained(
                connection.open(EVENTS, MQOO.INPUT_SHARED),
                GetMessageOptions(),
                repeat(1),
            )
        recorded.append((found, times, events, len(noted)))
    assert recorded[0] == recorded[1]
    assert recorded[0][0] or options.unless_backed_out


def test_a_list_of_gets_ends_where_data_does_not_fit(
    qmgr: QueueManager,
    handle: ObjectHandle,
) -> None:
    handle.put([Message(b"a"), Message(b"bb"), Message(b"c")])
    got = [handle.get_many(3, GetMessageOptions(buffer_length=1)) for _ in range(2)]
    assert [[(each.body, each.reason) for each in some] for some in got] == [
        [(b"a", 0)],
        [(b"b", 2080)],
    ]
    assert queue_row(qmgr, "Q").depth == 2


def test_a_list_of_gets_that_is_backed_out_is_on_the_queue_again(handle: ObjectHandle) -> None:
    handle.put([Message(b"%d" % number) for number in range(5)])
    assert len(handle.get_many(4, GetMessageOptions(MQGMO.SYNCPOINT))) == 4
    handle.connection.back()
    assert [each.body for each in handle.get_many(1000)] == [b"0", b"1", b"2", b"3", b"4"]


@pytest.mark.parametrize("limit", [1, 3])
def test_a_list_of_gets_takes_no_more_than_a_unit_of_work_holds(
    qmgr: QueueManager,
    handle: ObjectHandle,
    limit: int,
) -> None:
    change_queue_manager(qmgr, {"MAXUMSGS": limit})
    handle.put([Message(b"x")] * 5)
    options = GetMessageOptions(MQGMO.SYNCPOINT)
    assert len(handle.get_many(5, options)) == limit
    assert reason_of(lambda: handle.get_many(5, options)) == MQRC.SYNCPOINT_LIMIT_REACHED


def test_a_persistent_message_is_not_taken_in_a_transaction_that_is_not_synced(
    handle: ObjectHandle,
) -> None:
    handle.put(
        [Message(b"x", MessageDescriptor(persistence=persistence)) for persistence in (0, 0, 1, 0)],
    )
    assert [len(handle.get_many(10)) for _ in range(2)] == [2, 2]


@rows((0, "from 1 to 1000"), (1001, "from 1 to 1000"), ("3", "most must be int"))
def test_how_many_messages_a_list_of_gets_may_take(
    handle: ObjectHandle,
    most: object,
    said: str,
) -> None:
    handle.put(Message(b"x"))
    with pytest.raises((ValueError, TypeError), match=said):
        handle.get_many(most)  # type: ignore[arg-type]
    assert handle.get_many(1000)[0].body == b"x"


WAIT, BROWSE = int(MQGMO.WAIT), int(MQGMO.WAIT | MQGMO.BROWSE_FIRST)
ANY = GetMessageOptions(MQGMO.WAIT, wait_interval=-1)
BY_ID = GetMessageOptions(
    MQGMO.WAIT,
    wait_interval=-1,
    match_options=MQMO.MATCH_CORREL_ID,
    correl_id=b"C",
)
WANTED = Message(b"wanted", MessageDescriptor(correl_id=b"C"))


@pytest.fixture
def connection(qmgr: QueueManager) -> Connection:
    return qmgr.connect()


class Get:
    """A waiting get whose searches the test makes one by one."""

    def __init__(
        self,
        connection: Connection,
        by: GetMessageOptions,
        asked: int = WAIT,
        interval: int = -1,
    ) -> None:
        handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.BROWSE)
        self.connection, self.queue = connection, queue_row(connection.qmgr, "Q").id
        (self.chosen,) = selection(handle, self.queue, by, START)
        self.fairness = GetFairness(handle, asked, interval)

    def look(self) -> Selection:
        """Search the queue without finding a message; return the selection used."""
        chosen = self.fairness.narrowed(self.chosen)
        with Transaction(self.connection.store.database, durable=False) as tx:
            self.fairness.found_nothing(tx, self.queue, self.chosen, now=0)
        return chosen

    @property
    def waits_for(self) -> int:
        """The number of registered gets that wait for selected messages."""
        with Reading(self.connection.store.database) as reading:
            return len(reading.all(text_of(waiter.select())))


@rows(
    (BY_ID, WAIT, -1, 1),
    (ANY, WAIT, -1, 0),
    (BY_ID, WAIT, 0, 0),
    (BY_ID, 0, -1, 0),
    (BY_ID, BROWSE, -1, 0),
)
def test_only_a_selective_destructive_get_that_waits_is_announced(
    connection: Connection,
    options: GetMessageOptions,
    asked: int,
    interval: int,
    announced: int,
) -> None:
    get = Get(connection, options, asked, interval)
    get.look()
    get.look()
    assert get.waits_for == announced
    get.fairness.over()
    assert get.waits_for == 0


def test_a_get_that_found_its_message_is_no_longer_announced(connection: Connection) -> None:
    get = Get(connection, BY_ID)
    get.look()
    with Transaction(connection.store.database, durable=False) as tx:
        get.fairness.found_message(tx)
    assert get.waits_for == 0


def test_the_first_look_may_take_anything_and_later_ones_leave_what_others_wait_for(
    connection: Connection,
) -> None:
    general, selective = Get(connection, ANY), Get(connection, BY_ID)
    assert ["unwanted" in general.look().conditions for _ in range(2)] == [False, True]
    assert ["unwanted" in selective.look().conditions for _ in range(2)] == [False, False]


def test_patience_with_a_waiter_that_does_not_take_its_message_ends(connection: Connection) -> None:
    general, selective = Get(connection, ANY), Get(connection, BY_ID)
    selective.look()
    general.look()
    assert not general.fairness.left_something
    connection.put1("Q", WANTED)
    narrowed = ["unwanted" in general.look().conditions for _ in range(PATIENCE + 1)]
    assert narrowed == [True] * PATIENCE + [False]
    assert general.fairness.left_something
