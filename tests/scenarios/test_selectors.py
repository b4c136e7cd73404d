"""Gets with a selection string (properties §8, M31 to M50)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mqsc.store.admin.altering import change
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCMHO, MQGMO, MQMO, MQOO, MQPMO, MQRO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment, FrozenClock
from mqsc.store.error import SelectorError
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.rules.properties.property_types import Value
from tests.scenarios.test_properties import in_rules_header, reason
from tests.scenarios.waiting import PauseCountingClock, Waiter

INPUT = MQOO.INPUT_SHARED | MQOO.BROWSE
TEXT = MessageDescriptor(format="MQSTR")
CORREL_ID = b"correlation of 24 bytes."


class Play:
    """A connection that puts messages with properties and gets those that a selector selects."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.output: ObjectHandle = connection.open("Q", MQOO.OUTPUT)

    def put(
        self,
        body: str,
        descriptor: MessageDescriptor = TEXT,
        **properties: Value,
    ) -> MessageDescriptor:
        handle = self.connection.create_message_handle(MQCMHO.DEFAULT_VALIDATION)
        for name, value in properties.items():
            handle.set(name, value)
        return self.output.put(
            Message(body.encode(), descriptor),
            PutMessageOptions(message_handle=handle),
        )

    def colors(self) -> None:
        """Put m1, which is red, m2, which is blue, and m3 without a color."""
        self.put("m1", Color="red")
        self.put("m2", Color="blue")
        self.output.put(Message(b"m3", TEXT))

    def opened(self, selection: str, options: int = INPUT) -> ObjectHandle:
        return self.connection.open("Q", options, selection=selection)

    def selected(self, selection: str) -> str:
        """Return the bodies of the messages that are selected, which stay."""
        handle = self.opened(selection)
        options = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.NO_PROPERTIES)
        found = []
        while not reason(lambda: found.append(handle.get(options).body.decode())):
            pass
        handle.close()
        return " ".join(found)


@pytest.fixture
def play(qmgr: QueueManager) -> Iterator[Play]:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        yield Play(connection)


def test_m31_only_selected_messages_are_got(play: Play) -> None:
    play.colors()
    handle = play.opened("Color='red'", INPUT | MQOO.INQUIRE)
    assert handle.get(GetMessageOptions(MQGMO.NO_PROPERTIES)).body == b"m1"
    assert reason(handle.get) == 2033
    assert handle.inquire(3)[3] == 2


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        pytest.param("Color <> 'red'", "m2", id="M32"),
        pytest.param("NOT Color='red'", "m2", id="M32 NOT"),
        pytest.param("Color IS NULL", "m3", id="M33"),
        pytest.param("Color is not null", "m1 m2", id="M33 NOT"),
        pytest.param("Color IN ('red','x')", "m1", id="M37"),
        pytest.param("Color NOT IN ('red','x')", "m2", id="M37 NOT"),
        pytest.param("n BETWEEN 1 AND 5", "", id="M38"),
        pytest.param("n NOT BETWEEN 1 AND 5", "m1 m2 m3", id="M38 NOT"),
        pytest.param("n+1>0 OR TRUE", "", id="M38 arithmetic"),
        pytest.param("Root.MQMD.Priority>=0 AND Root.MQMD.Format='MQSTR'", "m1 m2 m3", id="M41"),
        pytest.param("Root.MQMD.Format='MQSTR   '", "m1 m2 m3", id="M41 blanks"),
        pytest.param("TRUE<>FALSE", "m1 m2 m3", id="M43"),
        pytest.param("Color='red' OR Color='blue' AND n=1", "m1", id="AND before OR"),
        pytest.param("(Color='red' OR Color='blue') AND n IS NULL", "m1 m2", id="parentheses"),
        pytest.param("Color='red' OR n=1", "m1", id="unknown OR true"),
        pytest.param("'red' = usr.Color", "m1", id="usr"),
    ],
)
def test_colors(play: Play, selection: str, expected: str) -> None:
    play.colors()
    assert play.selected(selection) == expected


YES_NO = [
    *(
        (("M34", f, True))
        for f in ("n BETWEEN 1 AND 5", "n*2+1=11", "n>4.5", "NOT n='5'", "-n = 0 - 5", "n/2=2")
    ),
    *(
        (("M34", f, False))
        for f in ("n='5'", "n BETWEEN 6 AND 9", "n/0=1", "n>0x5", "n=05.1", "n=1E400")
    ),
    *((("M35", f, False)) for f in ("s=5", "s+1=6", "s<>5", "s>f")),
    ("M35", "NOT s=5", True),
    *(
        (("M36", f, True))
        for f in ("t LIKE 'A_C%'", "x LIKE 'x\\_%' ESCAPE '\\'", "t LIKE '%CD'", "t LIKE '%'")
    ),
    *((("M36", f, False)) for f in ("u LIKE 'A_C%'", "y LIKE 'x\\_%' ESCAPE '\\'", "t LIKE '%C'")),
    *((("M36", f, False)) for f in ("n LIKE '5'", "t LIKE '_'")),
    ("M36", "t NOT LIKE 'B%'", True),
    ("M36", "t LIKE 'ABCD%BCD'", False),
    *((("M39", f, True)) for f in ("b=TRUE", "b", "NOT b=FALSE", "b <> false")),
    ("M39", "t", False),
    *((("M40", f, True)) for f in ('y2="0x0AFC23"', 'y2<>"0x00"')),
    *((("M40", f, False)) for f in ('y2="0x0AFC2300"', "y2='x'", "y2 LIKE 'x'")),
    ("hex and octal", "n = 0x05 AND n = 05 AND n = 5L AND n < 7E3", True),
    ("quotes", "q = 'it''s'", True),
]


@pytest.mark.parametrize(("id", "selection", "expected"), YES_NO)
def test_values(play: Play, id: str, selection: str, expected: bool) -> None:
    play.put(
        "m",
        n=5,
        s="5",
        f="5",
        t="ABCD",
        u="ABD",
        x="x_1",
        y="xa1",
        b=True,
        y2=bytes.fromhex("0AFC23"),
        q="it's",
    )
    assert play.selected(selection) == ("m" if expected else "")


def test_m42_identifiers(play: Play) -> None:
    play.colors()
    found = play.put("wanted", MessageDescriptor(priority=4, correl_id=CORREL_ID), n=1)
    identifier = found.msg_id.hex()
    for selection in (
        f"JMSMessageID='ID:{identifier}'",
        "JMSPriority=4",
        f'Root.MQMD.MsgId = "0x{identifier}" AND n=1',
        f'Root.MQMD.CorrelId = "0x{CORREL_ID.hex()}"',
        f"JMSCorrelationID = 'ID:{CORREL_ID.hex()}'",
    ):
        assert play.selected(selection) == "wanted"
    assert play.selected(f"NOT JMSMessageID='ID:{identifier}'") == "m1 m2 m3"
    assert play.selected('Root.MQMD.CorrelId = "0x00"') == ""


SYNTAX = [
    ("Color=", 2459, "a value expected, not the end", 7),
    ("09=n", 2459, "09 is no octal number", 1),
    ('Color="red"', 2459, "a text is in single quotes", 7),
    ("b>FALSE", 2459, "> compares numbers only", 3),
    ('b="0xAFC23"', 2459, "no byte string", 3),
    ("1=2", 2504, "no message can be selected", 1),
    ("Color='red", 2459, "a string without its closing quote", 7),
    ("Color", 0, "", 0),
    ("5", 2459, "a comparison expected, not a value", 1),
    ("n+1", 2459, "a comparison expected, not a value", 1),
    ("(n=1)+1=2", 2459, "a value expected, not a comparison", 2),
    ("n=1 n=2", 2459, "AND, OR or the end expected, not n", 5),
    ("n NOT 5", 2459, "BETWEEN, IN or LIKE expected, not 5", 7),
    ("5 IS NULL", 2459, "IS NULL needs the name of a property", 1),
    ("n IN (1)", 2459, "a text in single quotes expected, not 1", 7),
    ("t LIKE 'a' ESCAPE 'ab'", 2459, "ESCAPE needs one character", 19),
    ("t LIKE 'a!' ESCAPE '!'", 2459, "ends with its escape character", 8),
    ("JMSNope = 1", 2459, "there is no property JMSNope", 1),
    ("Root.Nope = 1", 2459, "cannot be the name of a property", 1),
    ("n = 9223372036854775808", 2459, "more than a number of 8 bytes", 5),
    ("n = -9223372036854775808", 0, "", 0),
    ("n = 5x", 2459, "not a number: 5x", 5),
    ("(" * 5000 + "n=1" + ")" * 5000, 2459, "parentheses in each other", 41),
    ("NOT " * 2000 + "n=1", 0, "", 0),
    ("n=" + "1+" * 4000 + "1", 0, "", 0),
    ("x" * 10_241, 2519, "more than 10240 bytes", 10_240),
    ("#", 2459, "unexpected '#'", 1),
    ("n = 1 AND", 2459, "a value expected, not the end", 10),
]


@pytest.mark.parametrize(("selection", "expected", "fault", "position"), SYNTAX)
def test_m43_errors_say_what_and_where(
    play: Play,
    selection: str,
    expected: int,
    fault: str,
    position: int,
) -> None:
    if not expected:
        play.opened(selection)
        return
    with pytest.raises(SelectorError) as refused:
        play.opened(selection)
    assert (refused.value.reason, refused.value.position) == (expected, position)
    assert fault in refused.value.fault
    assert f"at character {position} of the selection string" in str(refused.value)


def test_m44_where_nothing_is_got(play: Play) -> None:
    assert reason(lambda: play.opened("n=1", MQOO.OUTPUT)) == 2516
    queue_manager = {"object_type": 5, "selection": "n=1"}
    assert reason(lambda: play.connection.open("", MQOO.INQUIRE, **queue_manager)) == 2516  # type: ignore[arg-type]


def test_m45_browsing(play: Play) -> None:
    play.colors()
    handle = play.opened("Color='blue'")
    dropped = MQGMO.NO_PROPERTIES
    assert handle.get(GetMessageOptions(MQGMO.BROWSE_FIRST | dropped)).body == b"m2"
    assert reason(lambda: handle.get(GetMessageOptions(MQGMO.BROWSE_NEXT))) == 2033
    assert handle.get(GetMessageOptions(MQGMO.MSG_UNDER_CURSOR | dropped)).body == b"m2"


def test_m46_a_wait_for_a_selected_message(play: Play, clock: PauseCountingClock) -> None:
    waiter = Waiter(play.connection.qmgr, MQGMO.NO_PROPERTIES, selection="Color='blue'")
    clock.wait_for_a_search()
    play.put("red", Color="red")
    clock.wait_for_a_search()
    assert waiter.is_waiting
    play.put("blue", Color="blue")
    assert waiter.outcome() == b"blue"


def test_m47_messages_that_are_not_selected_do_not_expire(
    play: Play,
    environment: Environment[FrozenClock],
) -> None:
    create(play.connection.qmgr, KINDS["QLOCAL"], "REPLIES", {})
    asked = MessageDescriptor(expiry=10, report=MQRO.EXPIRATION, reply_to_q="REPLIES")
    first, second = play.put("m1", asked, Color="red"), play.put("m2", asked, Color="blue")
    environment.clock.advance(seconds=2)
    assert reason(play.opened("Color='blue'").get) == 2033
    replies = play.connection.open("REPLIES", MQOO.INPUT_SHARED)
    assert replies.get().descriptor.correl_id == second.msg_id
    assert reason(replies.get) == 2033
    assert reason(play.opened("Color='red'").get) == 2033
    assert replies.get().descriptor.correl_id == first.msg_id


def test_m48_match_options_must_hold_too(play: Play) -> None:
    play.put("m1", Color="red")
    play.put("m2", MessageDescriptor(correl_id=CORREL_ID), Color="blue")
    play.put("m3", MessageDescriptor(correl_id=CORREL_ID), Color="red")
    options = GetMessageOptions(
        MQGMO.NO_PROPERTIES,
        match_options=MQMO.MATCH_CORREL_ID,
        correl_id=CORREL_ID,
    )
    handle = play.opened("Color='red'")
    assert handle.get(options).body == b"m3"
    assert reason(lambda: handle.get(options)) == 2033


def test_m49_marks(play: Play) -> None:
    play.colors()
    together = MQOO.BROWSE | MQOO.CO_OP
    browsed = MQGMO.BROWSE_NEXT | MQGMO.NO_PROPERTIES
    marking = GetMessageOptions(browsed | MQGMO.MARK_BROWSE_CO_OP | MQGMO.UNMARKED_BROWSE_MSG)
    assert play.opened("Color='red'", together).get(marking).body == b"m1"
    other = play.opened("", together)
    assert [other.get(marking).body for _ in range(2)] == [b"m2", b"m3"]


def test_m50_uncommitted_messages_are_not_seen(play: Play) -> None:
    change(play.connection.qmgr, KINDS["QLOCAL"], "Q", {"PROPCTL": "NONE"})
    handle = play.opened("Color='red'")
    play.output.put(
        in_rules_header("<usr><Color>red</Color></usr>"),
        PutMessageOptions(MQPMO.SYNCPOINT),
    )
    with play.connection.qmgr.connect() as other:
        theirs = other.open("Q", INPUT, selection="Color='red'")
        assert reason(theirs.get) == 2033
        play.connection.commit()
        assert theirs.get().body == b"hi"
    assert reason(handle.get) == 2033


def test_a_backout_count_is_asked_anew(play: Play) -> None:
    play.put("m", n=1)
    handle = play.opened("JMSXDeliveryCount = 2")
    assert reason(handle.get) == 2033
    play.opened("").get(GetMessageOptions(MQGMO.SYNCPOINT))
    play.connection.back()
    assert handle.get(GetMessageOptions(MQGMO.NO_PROPERTIES)).body == b"m"


def test_more_than_a_page_of_messages_of_every_priority(play: Play) -> None:
    play.output.put(
        [Message(b"other", MessageDescriptor(priority=each % 3)) for each in range(1700)],
    )
    play.put("low", MessageDescriptor(priority=0), n=1)
    play.put("high", MessageDescriptor(priority=2), n=1)
    play.put("middle", MessageDescriptor(priority=1), n=1)
    assert play.selected("n=1") == "high middle low"
