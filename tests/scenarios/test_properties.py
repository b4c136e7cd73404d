"""Message handles and properties (properties §7, M01 to M30)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import pytest

from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS
from mqsc.store.client.connection import Connection
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import (
    MQACTP,
    MQBMHO,
    MQCOPY,
    MQDMPO,
    MQGMO,
    MQIMPO,
    MQMHBO,
    MQOO,
    MQPMO,
    MQRO,
    MQSMPO,
    MQTYPE,
)
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh, mqrfh2
from mqsc.store.headers.mqrfh2 import RulesHeader
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.mqi.message_buffers import BufferTooShortError
from mqsc.store.mqi.property_inquiry import InquiredProperty, PropertyTooBigError
from mqsc.store.rules.properties import property_types
from mqsc.store.rules.properties.property_set import PropertyDescriptor
from mqsc.store.rules.properties.property_types import PropertyFault, Value

ALL_OPTIONS = MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.BROWSE
TEXT = MessageDescriptor(format="MQSTR")


def folders(*texts: str, format: str = "MQSTR", encoding: int = 546) -> bytes:
    """Return an MQRFH2 with these folders."""
    header = RulesHeader(encoding, 1208, format, tuple(map(mqrfh2.folder_of, texts)))
    return mqrfh2.pack(header, encoding)


def in_rules_header(*texts: str, data: bytes = b"hi") -> Message:
    """Return a message with these folders before its data."""
    return Message(folders(*texts) + data, MessageDescriptor(format="MQHRF2"))


class Play:
    """One connection with the queue open, a handle `h` to put with and a handle `g` to get with."""

    def __init__(self, qmgr: QueueManager, connection: Connection) -> None:
        self.qmgr = qmgr
        self.connection = connection
        self.queue: ObjectHandle = connection.open("Q", ALL_OPTIONS)
        self.h: MessageHandle = connection.create_message_handle()
        self.g: MessageHandle = connection.create_message_handle()

    def put(self, message: Message | None = None, **options: object) -> MessageDescriptor:
        """Put with the handle `h`; without a message, the text `hi`."""
        given = Message(b"hi", TEXT) if message is None else message
        return self.queue.put(given, PutMessageOptions(**{"message_handle": self.h, **options}))  # type: ignore[arg-type]

    def get(self, options: int = 0, *, handle: bool = False, **others: object) -> Message:
        given = {"message_handle": self.g} if handle else {}
        return self.queue.get(GetMessageOptions(options, **given, **others))  # type: ignore[arg-type]

    def received(self) -> Message:
        """Get the message with its properties in the handle `g`."""
        return self.get(MQGMO.PROPERTIES_IN_HANDLE, handle=True)

    def control(self, value: str) -> None:
        change(self.qmgr, KINDS["QLOCAL"], "Q", {"PROPCTL": value})


@pytest.fixture
def play(qmgr: QueueManager) -> Iterator[Play]:
    create(qmgr, KINDS["QLOCAL"], "Q", {})
    with qmgr.connect() as connection:
        yield Play(qmgr, connection)


def reason(call: Callable[[], object]) -> int:
    """Return the reason of a call that fails, or 0."""
    try:
        call()
    except MQError as refused:
        return int(refused.reason)
    return 0


def names(handle: MessageHandle, pattern: str = "%") -> list[str]:
    """Return the names that an iteration over the pattern finds."""
    found = []
    while not reason(lambda: found.append(handle.inquire(pattern, MQIMPO.INQ_NEXT).name)):
        pass
    return found


def test_m01_a_text_comes_back(play: Play) -> None:
    play.h.set("test_name", "v")
    play.put()
    assert play.received().body == b"hi"
    found = play.g.inquire("test_name")
    assert (found.value, found.type, found.data_length) == ("v", MQTYPE.STRING, 1)


TYPED: list[tuple[str, MQTYPE, Value, int]] = [
    ("text", MQTYPE.STRING, " <grün> ", 9),
    ("empty", MQTYPE.STRING, "", 0),
    ("truth", MQTYPE.BOOLEAN, True, 4),
    ("bytes", MQTYPE.BYTE_STRING, b"\x0a\xfc", 2),
    ("int8", MQTYPE.INT8, -128, 1),
    ("int16", MQTYPE.INT16, 32767, 2),
    ("int32", MQTYPE.INT32, -1, 4),
    ("int64", MQTYPE.INT64, -(2**63), 8),
    ("float32", MQTYPE.FLOAT32, 1.1754943508222875e-38, 4),
    ("float64", MQTYPE.FLOAT64, float("inf"), 8),
    ("nothing", MQTYPE.NULL, None, 0),
]


def test_m02_every_type_comes_back(play: Play) -> None:
    for name, type, value, _ in TYPED:
        play.h.set(name, value, type=type)
    play.put()
    play.received()
    found = [play.g.inquire(name) for name, *_ in TYPED]
    assert [(each.name, each.type, each.value, each.data_length) for each in found] == TYPED
    assert [property_types.from_bytes(each.type, each.data) for each in found] == [
        value for _, _, value, _ in TYPED
    ]


def test_m03_a_value_longer_than_the_buffer(play: Play) -> None:
    play.h.set("b", bytes(range(50)))
    with pytest.raises(PropertyTooBigError) as refused:
        play.h.inquire("b", buffer_length=25)
    assert (refused.value.reason, refused.value.found.data_length) == (2469, 50)
    assert refused.value.found.data == bytes(range(25))
    assert play.h.inquire("", MQIMPO.INQ_PROP_UNDER_CURSOR, buffer_length=50).data == bytes(
        range(50),
    )
    assert reason(lambda: play.h.inquire("b", name_length=0)) == 2465


def test_m04_m05_iteration(play: Play) -> None:
    assert reason(lambda: play.h.inquire("nope")) == 2471
    for name in "abc":
        play.h.set(name, name)
    found = [
        play.h.inquire("%").name,
        *(play.h.inquire("%", MQIMPO.INQ_NEXT).name for _ in range(2)),
    ]
    assert found == ["a", "b", "c"]
    assert reason(lambda: play.h.inquire("%", MQIMPO.INQ_NEXT)) == 2471
    assert play.h.inquire("usr.%", MQIMPO.INQ_NEXT).name == "a"


def test_m06_deleted_ones_are_passed_over(play: Play) -> None:
    for name, value in (("p0", "x"), ("p1", 1), ("p2", 2.0)):
        play.h.set(name, value)
    assert play.h.delete("p1")
    assert names(play.h, "usr.%") == ["p0", "p2"]


def test_m07_conversions(play: Play) -> None:
    play.h.set("n", 42)
    play.h.set("x", "x")
    convert = MQIMPO.CONVERT_TYPE
    assert reason(lambda: play.h.inquire("n", convert, type=MQTYPE.INT16)) == 2470
    assert play.h.inquire("n", convert, type=MQTYPE.INT64).data == struct.pack("<q", 42)
    assert play.h.inquire("n", convert, type=MQTYPE.STRING).value == "42"
    assert reason(lambda: play.h.inquire("x", convert, type=MQTYPE.INT32)) == 2472
    assert play.h.inquire("n", type=MQTYPE.STRING).type == MQTYPE.INT32
    wanted = {"encoding": 273, "coded_char_set_id": 500}
    assert play.h.inquire("x", convert | MQIMPO.CONVERT_VALUE, **wanted).data == b"\xa7"


def test_m08_the_length_alone(play: Play) -> None:
    play.h.set("s", "abc")
    assert play.h.inquire("s", MQIMPO.QUERY_LENGTH, buffer_length=0).data_length == 3


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a b", 2442),
        (".a", 2442),
        ("a.", 2442),
        ("a..b", 2442),
        ("null", 2442),
        ("usr.Like", 2442),
        ("JMSFoo", 2442),
        ("Root.X", 2442),
        ("mqa.b.c", 2442),
        ("a%", 2442),
        ("", 2513),
        ("x" * 4096, 2513),
        ("x" * 4095, 0),
        ("usr.a.b", 2442),
        ("JMSPriority", 2442),
        ("JMSType", 0),
        ("f.g.X", 0),
        ("mq_usr.a.b", 0),
        ("_x", 0),
        ("$", 0),
    ],
)
def test_m09_names(play: Play, name: str, expected: int) -> None:
    assert reason(lambda: play.h.set(name, 1)) == expected


def test_m10_invalid_arguments(play: Play) -> None:
    with pytest.raises(PropertyFault) as refused:
        property_types.from_bytes(MQTYPE.INT32, bytes(8))
    assert refused.value.reason == 2005
    assert reason(lambda: play.h.set("a", 1, type=3)) == 2473
    assert reason(lambda: play.h.set("a", 1, descriptor=PropertyDescriptor(support=7))) == 2482
    assert reason(lambda: play.h.set("a", 1, options=3)) == 2046
    with pytest.raises(ValueError, match="300 is out of range for a property of type INT8"):
        play.h.set("a", 300, type=MQTYPE.INT8)
    with pytest.raises(ValueError, match="the value of a property has an unpaired surrogate"):
        play.h.set("a", "\udc80")
    with pytest.raises(TypeError, match="takes bytes, not str"):
        play.h.set("a", "text", type=MQTYPE.BYTE_STRING)


def test_m11_deletion(play: Play) -> None:
    for name in "abc":
        play.h.set(name, name)
    assert not play.h.delete("z")
    play.h.inquire("b")
    assert play.h.delete(options=MQDMPO.DEL_PROP_UNDER_CURSOR)
    assert reason(lambda: play.h.delete(options=MQDMPO.DEL_PROP_UNDER_CURSOR)) == 2471
    assert names(play.h) == ["a", "c"]
    assert reason(lambda: play.h.delete("a%")) == 2442


def test_m12_the_life_of_a_handle(play: Play, qmgr: QueueManager) -> None:
    play.h.close()
    assert reason(play.put) == 2460
    assert reason(lambda: play.h.set("a", 1)) == 2460
    with qmgr.connect() as other:
        theirs = other.create_message_handle()
        assert reason(lambda: play.put(message_handle=theirs)) == 2460
    assert reason(lambda: theirs.set("a", 1)) == 2460
    everybodys = MessageHandle(None)
    everybodys.set("a", 1)
    play.put(message_handle=everybodys)
    play.received()
    assert play.g.values == {"a": 1}


def test_one_call_at_a_time_uses_a_handle(play: Play) -> None:
    play.put(message_handle=play.g, original_handle=play.g)
    with play.g.call():
        assert reason(lambda: play.g.set("a", 1)) == 2499
        assert reason(lambda: play.put(message_handle=play.h, original_handle=play.g)) == 2499
        assert reason(play.received) == 2499
        assert reason(play.g.close) == 2499
    play.h.set("a", 1)
    play.received()


def test_m13_in_a_rules_header(play: Play) -> None:
    play.h.set("Color", "red")
    assert play.put().format == "MQSTR"
    message = play.get()
    header = mqrfh2.unpack(message.body)
    assert (message.descriptor.format, header.struc_length, header.format, header.flags) == (
        "MQHRF2",
        72,
        "MQSTR",
        0,
    )
    assert header.folders == (b"<usr><Color>red</Color></usr>   ",)
    assert message.data_length == 74


@pytest.mark.parametrize(
    ("control", "handle", "format", "values"),
    [
        ("NONE", False, "MQSTR", {}),
        ("ALL", False, "MQHRF2", {}),
        ("FORCE", True, "MQHRF2", {}),
        ("COMPAT", False, "MQHRF2", {}),
        ("V6COMPAT", False, "MQSTR", {}),
        ("V6COMPAT", True, "MQSTR", {"Color": "red"}),
        ("ALL", True, "MQSTR", {"Color": "red"}),
        ("NONE", True, "MQSTR", {"Color": "red"}),
    ],
)
def test_m14_propctl(
    play: Play,
    control: str,
    handle: bool,
    format: str,
    values: dict[str, object],
) -> None:
    play.control(control)
    play.h.set("Color", "red")
    play.put()
    assert play.get(handle=handle).descriptor.format == format
    assert play.g.values == values


@pytest.mark.parametrize(
    ("option", "format"),
    [
        (MQGMO.NO_PROPERTIES, "MQSTR"),
        (MQGMO.PROPERTIES_FORCE_MQRFH2, "MQHRF2"),
        (MQGMO.PROPERTIES_COMPATIBILITY, "MQHRF2"),
    ],
)
def test_m14_options_come_before_propctl_and_ignore_the_handle(
    play: Play,
    option: int,
    format: str,
) -> None:
    play.control("NONE")
    play.h.set("Color", "red")
    play.put()
    assert reason(lambda: play.get(option, handle=True, descriptor_in_handle=True)) == 2026
    assert play.get(option, handle=True).descriptor.format == format
    assert play.g.values == {}


def test_m14_the_alias_that_is_opened_decides(play: Play) -> None:
    create(play.qmgr, KINDS["QALIAS"], "A", {"TARGET": "Q", "PROPCTL": "NONE"})
    play.h.set("Color", "red")
    play.put()
    alias = play.connection.open("A", ALL_OPTIONS)
    assert alias.get(GetMessageOptions(MQGMO.BROWSE_FIRST)).body == b"hi"
    assert play.get().descriptor.format == "MQHRF2"


def test_m15_compat_drops_what_jms_does_not_know(play: Play) -> None:
    play.h.set("mq_usr.x", 1)
    play.put()
    assert play.get(MQGMO.BROWSE_FIRST).body == b"hi"
    play.received()
    assert play.g.values == {"mq_usr.x": 1}


def test_m16_conflicting_options(play: Play) -> None:
    assert reason(lambda: play.get(MQGMO.PROPERTIES_IN_HANDLE)) == 2460
    both = MQGMO.PROPERTIES_IN_HANDLE | MQGMO.NO_PROPERTIES
    assert reason(lambda: play.get(both, handle=True)) == 2046


MIXED = (
    "<psc><Command>RegSub</Command></psc>",
    "<testFolder><v>1</v></testFolder>",
    "<mcd><Msd>xmlnsc</Msd></mcd>",
)


@pytest.mark.parametrize("encoding", [546, 273])
def test_m17_m18_an_applications_header(play: Play, encoding: int) -> None:
    data = folders(*MIXED, encoding=encoding) + b"data"
    message = Message(data, MessageDescriptor(format="MQHRF2", encoding=encoding))
    play.queue.put([message, message])
    assert play.get().body == data
    rest = play.received()
    assert play.g.values == {"mcd.Msd": "xmlnsc"}
    assert (rest.descriptor.format, rest.descriptor.encoding) == ("MQHRF2", encoding)
    assert rest.body == folders(*MIXED[:2], encoding=encoding) + b"data"


def test_m19_properties_in_data(play: Play) -> None:
    play.queue.put(in_rules_header("<usr><Color>red</Color></usr>"))
    message = play.received()
    assert (message.body, message.descriptor.format, play.g.values) == (
        b"hi",
        "MQSTR",
        {"Color": "red"},
    )


@pytest.mark.parametrize("option", [MQGMO.PROPERTIES_FORCE_MQRFH2, MQGMO.PROPERTIES_AS_Q_DEF])
def test_m20_a_handle_beats_data(play: Play, option: int) -> None:
    play.h.set("Color", "red")
    play.put(in_rules_header("<usr><Color>blue</Color><n dt='i4'>1</n></usr>", "<psc>x</psc>"))
    message = play.get(option | MQGMO.BROWSE_FIRST)
    assert (
        message.body
        == folders("<usr><Color>red</Color><n dt='i4'>1</n></usr>", "<psc>x</psc>") + b"hi"
    )
    play.received()
    assert play.g.values == {"Color": "red", "n": 1}


def test_m21_the_folder_nearest_the_head_beats_others(play: Play) -> None:
    first = RulesHeader(546, 1208, "MQHRF2", (mqrfh2.folder_of("<usr><n>1</n></usr>"),))
    second = folders("<usr><n>2</n><m/></usr>")
    play.queue.put(Message(mqrfh2.pack(first) + second + b"hi", MessageDescriptor(format="MQHRF2")))
    assert play.received().body == b"hi"
    assert play.g.values == {"n": "1", "m": ""}


def test_m21_a_header_that_stays_describes_what_follows(play: Play) -> None:
    first = RulesHeader(546, 1208, "MQHRF2", (mqrfh2.folder_of("<psc>x</psc>"),))
    second = folders("<usr><n>2</n></usr>", encoding=546)
    play.queue.put(Message(mqrfh2.pack(first) + second + b"hi", MessageDescriptor(format="MQHRF2")))
    assert play.received().body == folders("<psc>x</psc>") + b"hi"


def test_m22_escapes(play: Play) -> None:
    play.h.set("s", "a<b&'c\"")
    play.put()
    found = play.get(MQGMO.PROPERTIES_FORCE_MQRFH2 | MQGMO.BROWSE_FIRST)
    assert b"<s>a&lt;b&amp;&apos;c&quot;</s>" in found.body
    play.received()
    assert play.g.values == {"s": "a<b&'c\""}


def test_m23_types_in_data(play: Play) -> None:
    play.queue.put(
        in_rules_header("<usr><n xsi:nil='true'/><e></e><i dt='int'>7</i><u dt='foo'>x</u></usr>"),
    )
    play.received()
    found: list[InquiredProperty] = [play.g.inquire(name) for name in "neiu"]
    assert [(each.type, each.value) for each in found[:3]] == [(2, None), (1024, ""), (128, 7)]
    assert (found[3].completion, found[3].reason, found[3].type_string) == (1, 2467, "foo")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<usr><a>1</usr>", 2421),
        ("<usr><a>1</a></usr>junk", 2421),
        ("<mq><g><x>1</x></g></mq>", 2527),
        ("<mq><x>&lt;</x></mq>", 2527),
        ("<psc>junk", 0),
        ("junk", 0),
        ("<usr><a>&bad;</a></usr>", 2421),
        ("<usr>" + "<a>" * 5000, 2421),
        ("<my content='properties'><a></my>", 2421),
    ],
)
def test_m24_invalid_folders(play: Play, text: str, expected: int) -> None:
    assert reason(lambda: play.queue.put(in_rules_header(text))) == expected


@pytest.mark.parametrize("length", [10, 35, 42, 1000, -4])
def test_m24_invalid_headers(play: Play, length: int) -> None:
    data = bytearray(folders("<usr></usr>"))
    data[8:12] = struct.pack("<i", length)
    assert (
        reason(lambda: play.queue.put(Message(bytes(data), MessageDescriptor(format="MQHRF2"))))
        == 2334
    )


def test_m25_lengths(play: Play) -> None:
    change_queue_manager(play.qmgr, {"MAXPROPL": 10})
    play.h.set("Color", "red")
    play.put()
    play.h.set("Size", "XL")
    assert reason(play.put) == 2478
    change_queue_manager(play.qmgr, {"MAXPROPL": "NOLIMIT"})
    change(play.qmgr, KINDS["QLOCAL"], "Q", {"MAXMSGL": 10})
    play.h.set("Size", "X" * 100)
    play.put(Message(b"0123456789", TEXT))
    play.get()
    assert play.get().data_length > 100
    assert reason(lambda: play.put(Message(b"0123456789x", TEXT))) == 2030


def test_m26_actions(play: Play) -> None:
    for name, copied in (("a", MQCOPY.FORWARD), ("b", MQCOPY.REPLY), ("r", MQCOPY.REPORT)):
        play.h.set(name, name, descriptor=PropertyDescriptor(copy_options=copied))
    play.put()
    play.received()
    new = play.connection.create_message_handle()
    new.set("c", "c")
    new.set("a", None)
    found = {}
    for action in (MQACTP.FORWARD, MQACTP.REPLY, MQACTP.REPORT, MQACTP.NEW):
        play.put(message_handle=new, original_handle=play.g, action=action)
        into = play.connection.create_message_handle()
        play.get(MQGMO.PROPERTIES_IN_HANDLE, message_handle=into)
        found[action.name] = into.values
    assert found == {
        "FORWARD": {"c": "c"},
        "REPLY": {"b": "b", "c": "c", "a": None},
        "REPORT": {"r": "r", "c": "c", "a": None},
        "NEW": {"b": "b", "r": "r", "c": "c"},
    }
    assert reason(lambda: play.put(action=7)) == 2535
    assert reason(lambda: play.put(action=MQACTP.REPLY)) == 2460


def asking(report: int, format: str = "MQSTR") -> MessageDescriptor:
    return MessageDescriptor(report=report, reply_to_q="REPLIES", format=format)


@pytest.fixture
def replies(play: Play) -> ObjectHandle:
    create(play.qmgr, KINDS["QLOCAL"], "REPLIES", {})
    return play.connection.open("REPLIES", ALL_OPTIONS)


@pytest.mark.parametrize(
    ("option", "data"),
    [(MQRO.COA, b""), (MQRO.COA_WITH_DATA, b"h" * 100), (MQRO.COA_WITH_FULL_DATA, b"h" * 150)],
)
def test_reports_have_the_properties_that_are_for_reports(
    play: Play,
    replies: ObjectHandle,
    option: int,
    data: bytes,
) -> None:
    play.h.set("copied", "a")
    play.h.set("kept", "b", descriptor=PropertyDescriptor(copy_options=MQCOPY.FORWARD))
    play.put(Message(b"h" * 150, asking(option)))
    into = GetMessageOptions(MQGMO.PROPERTIES_IN_HANDLE, message_handle=play.g)
    report = replies.get(into)
    assert (report.body, report.descriptor.format, play.g.values) == (
        data,
        "MQSTR",
        {"copied": "a"},
    )
    assert report.descriptor.original_length == 150


def test_a_report_with_properties_is_read_as_any_message(play: Play, replies: ObjectHandle) -> None:
    play.h.set("Color", "red")
    play.put(Message(b"hi", asking(MQRO.COD)))
    play.get()
    report = replies.get()
    assert (report.body, report.descriptor.format) == (
        folders("<usr><Color>red</Color></usr>"),
        "MQHRF2",
    )


def test_reports_without_properties_to_copy(play: Play, replies: ObjectHandle) -> None:
    play.h.set("kept", "b", descriptor=PropertyDescriptor(copy_options=MQCOPY.NONE))
    play.put(Message(b"hi", asking(MQRO.COA_WITH_DATA)))
    report = replies.get()
    assert (report.body, report.descriptor.format) == (b"hi", "MQSTR")


@pytest.mark.parametrize(("option", "data"), [(MQRO.COA, b""), (MQRO.COA_WITH_DATA, b"hi")])
def test_reports_on_an_applications_header(
    play: Play,
    replies: ObjectHandle,
    option: int,
    data: bytes,
) -> None:
    """A header whose properties are all for reports is in the report as it was put."""
    header = folders("<psc>x</psc>", "<usr><Color>red</Color></usr>")
    play.queue.put(Message(header + b"hi", asking(option, "MQHRF2")))
    report = replies.get()
    assert report.body == (header + data if data else folders("<usr><Color>red</Color></usr>"))


def test_m27_a_reply_without_a_descriptor(play: Play) -> None:
    request = play.put(
        Message(b"?", MessageDescriptor(msg_type=1, reply_to_q="Q", expiry=100, priority=3)),
    )
    play.received()
    play.put(
        options=MQPMO.MD_FOR_OUTPUT_ONLY,
        message_handle=None,
        original_handle=play.g,
        action=MQACTP.REPLY,
    )
    reply = play.get().descriptor
    assert (reply.msg_type, reply.correl_id, reply.expiry, reply.priority) == (
        2,
        request.msg_id,
        -1,
        3,
    )


def test_m28_fields_of_the_descriptor(play: Play) -> None:
    assert reason(lambda: play.h.set("Root.MQMD.Priority", "5")) == 2473
    play.h.set("Root.MQMD.Priority", 5)
    play.put(options=MQPMO.MD_FOR_OUTPUT_ONLY)
    play.put(Message(b"", MessageDescriptor(priority=2)))
    assert [play.received().descriptor.priority for _ in range(2)] == [5, 2]
    assert play.g.inquire("Root.MQMD.Priority").value == 2
    assert play.g.inquire("JMSPriority").value == 2
    assert play.g.inquire("JMSXDeliveryCount").value == 1
    assert names(play.g) == []
    assert play.h.delete("Root.MQMD.Priority")
    assert play.h.inquire("Root.MQMD.Priority").value == -1


def test_m29_behind_a_dead_letter_header(play: Play) -> None:
    header = mqdlh.pack_mqdlh(
        mqdlh.DeadLetterHeader(
            2053,
            "X",
            "QM1",
            546,
            1208,
            "MQSTR",
            6,
            "app",
            "20231114",
            "22132000",
        ),
    )
    play.h.set("Color", "red")
    play.put(Message(header + b"hi", MessageDescriptor(format="MQDEAD")))
    message = play.get(MQGMO.PROPERTIES_FORCE_MQRFH2 | MQGMO.BROWSE_FIRST)
    assert message.descriptor.format == "MQDEAD"
    assert mqdlh.unpack_mqdlh(message.body).format == "MQHRF2"
    assert mqrfh2.unpack(message.body, at=mqdlh.MQDLH_LENGTH).format == "MQSTR"
    assert play.received().body == header + b"hi"


def test_m30_buffers(play: Play) -> None:
    play.h.set("Color", "red")
    text = Message(b"", TEXT)
    buffer = play.h.to_buffer("%", text)
    assert (len(buffer.body), buffer.descriptor.format) == (72, "MQHRF2")
    with pytest.raises(BufferTooShortError) as refused:
        play.h.to_buffer("%", text, buffer_length=40)
    assert (refused.value.reason, refused.value.data_length) == (2469, 72)
    assert reason(lambda: play.h.to_buffer("x%", text)) == 2471
    assert reason(lambda: play.h.to_buffer("%", text, options=0)) == 2046
    rest = play.g.from_buffer(buffer, options=MQBMHO.DELETE_PROPERTIES)
    assert (rest.body, rest.descriptor.format, play.g.values) == (b"", "MQSTR", {"Color": "red"})
    play.h.to_buffer("%", text, options=MQMHBO.PROPERTIES_IN_MQRFH2 | MQMHBO.DELETE_PROPERTIES)
    assert play.h.values == {}


def test_m08_places_of_new_properties(play: Play) -> None:
    for name in ("a", "b"):
        play.h.set(name, 1)
    assert reason(lambda: play.h.set("x", 1, options=MQSMPO.SET_PROP_AFTER_CURSOR)) == 2471
    play.h.inquire("a")
    play.h.set("after", 1, options=MQSMPO.SET_PROP_AFTER_CURSOR)
    play.h.set("before", 1, options=MQSMPO.SET_PROP_BEFORE_CURSOR)
    play.h.set("", 2, options=MQSMPO.SET_PROP_UNDER_CURSOR)
    play.h.set("f.x", 1)
    play.h.set("c", 1)
    play.h.set("last", 1, options=MQSMPO.APPEND_PROPERTY)
    assert names(play.h) == ["before", "a", "after", "b", "c", "f.x", "last"]
    assert play.h.values["a"] == 2


def test_properties_stay_with_a_message_that_is_moved(play: Play) -> None:
    create(play.qmgr, KINDS["QLOCAL"], "BACKOUT", {})
    change(
        play.qmgr,
        KINDS["QLOCAL"],
        "Q",
        {"BOTHRESH": 1, "BOQNAME": "BACKOUT", "PROPCTL": "NONE"},
    )
    play.h.set("f.x", "kept")
    play.put()
    consumer = play.connection.consumer("Q", wait=0)
    with consumer:
        assert next(iter(consumer)).body == b"hi"
        play.connection.back()
        assert list(consumer) == []
    play.connection.commit()
    backout = play.connection.open("BACKOUT", ALL_OPTIONS)
    backout.get(GetMessageOptions(MQGMO.PROPERTIES_IN_HANDLE, message_handle=play.g))
    assert play.g.values == {"f.x": "kept"}
