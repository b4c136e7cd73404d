"""Messages with any text in any field of their descriptor, written to a file and read again."""

from __future__ import annotations

import io

from hypothesis import given, strategies as st

from mqsc.ibm.samples import dump_lines
from mqsc.imports.amqsbcg import read_amqsbcg
from mqsc.imports.qload import MessageReader, Position, read_qload
from mqsc.imports.qload_output import heading, qload_lines
from mqsc.store import open_store
from mqsc.store.constants import MQOO, MQPMO
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.message import Message, PutMessageOptions
from tests.mqsc.conftest import Command
from tests.mqsc.imports.history import imported
from tests.rows import rows

LENGTHS = {
    "format": 8,
    "reply_to_q": 48,
    "reply_to_q_mgr": 48,
    "user_identifier": 12,
    "appl_identity_data": 32,
    "put_appl_name": 28,
    "put_date": 8,
    "put_time": 8,
    "appl_origin_data": 4,
}
FORGED = "a\nX 41\n\nN\n"


def fitted(text: str, length: int) -> str:
    """As much of the text as fits into a field of so many bytes, without padding."""
    while len(text.encode()) > length:
        text = text[:-1]
    return text.rstrip(" \0")


LETTERS = st.one_of(
    st.sampled_from("\n\r\x1b\0\t ?'X*A:\x85\u2028\u202eé"),
    st.characters(codec="utf-8"),
)


def texts_of(length: int) -> st.SearchStrategy[str]:
    """Generate texts that fit into a field of so many bytes."""
    return st.text(LETTERS).map(lambda text: fitted(text, length))


TEXTS = st.fixed_dictionaries({name: texts_of(length) for name, length in LENGTHS.items()})
MESSAGES = st.builds(
    lambda texts, body: Message(body, MessageDescriptor(**texts)),
    TEXTS,
    st.binary(max_size=60),
)


def read(reader: MessageReader, lines: list[str]) -> list[Message]:
    """The messages in a file of these lines, none of which may be damaged."""
    found = [*reader(io.BytesIO("".join(f"{line}\n" for line in lines).encode()), Position())]
    assert not any(each.fault for each in found)
    return [message for each in found for message in each.messages]


@given(st.lists(MESSAGES, min_size=1, max_size=4))
def test_a_file_of_dmpmqmsg_has_every_field(messages: list[Message]) -> None:
    lines = [
        *heading("SHOP", "ORDERS", "now"),
        *(line for each in messages for line in qload_lines(each)),
    ]
    assert all(line.isprintable() or "\t" in line or not line.isascii() for line in lines)
    assert read(read_qload, lines) == messages


@given(st.lists(MESSAGES, min_size=1, max_size=4))
def test_output_of_amqsbcg_has_every_field(messages: list[Message]) -> None:
    lines = [
        line
        for number, each in enumerate(messages, 1)
        for line in (f" MQGET of message number {number}, CompCode:0 Reason:0", *dump_lines(each))
    ]
    assert read(read_amqsbcg, lines) == messages


def test_the_alike_messages_behind_one_with_control_characters_have_their_own_texts() -> None:
    texts = ("a\nb", "a?b", "a\nc", "a?b", "a?b")
    messages = [Message(b"A", MessageDescriptor(user_identifier=text)) for text in texts]
    found = read(read_qload, [line for each in messages for line in qload_lines(each)])
    assert [each.descriptor.user_identifier for each in found] == [*texts]


@rows(
    ("A USR a?b", "* USR in hexadecimal: 610A62", "a\nb"),
    ("A USR a?b", "* USR in hexadecimal: 610a62 ", "a\nb"),
    # Not directly behind the line of its attribute, or with other words, it is a comment.
    ("A PAN a?b", "* USR in hexadecimal: 610A62", ""),
    ("A USR a?b", "* USR was in hexadecimal: 610A62", "a?b"),
)
def test_a_text_in_hexadecimal(attribute: str, comment: str, user: str) -> None:
    (message,) = read(read_qload, [attribute, comment, "A PRI 4", "X 41"])
    assert message.descriptor.user_identifier == user


@rows(("610A6", "pairs of hexadecimal digits"), ("61" * 13, "13 bytes in a field of 12"))
def test_a_text_in_hexadecimal_that_is_none_is_damage(digits: str, fault: str) -> None:
    (found,) = read_qload(
        io.BytesIO(f"A USR a\n* USR in hexadecimal: {digits}\nX 41\n".encode()),
        Position(),
    )
    assert fault in found.fault
    assert found.fault_line == 2


def test_no_field_makes_another_message(mqsc: Command) -> None:
    """Whoever may put with set context writes every field; one who may only put, his user and
    program alone.
    """
    mqsc("qmgr", "create", "SHOP")
    mqsc("run", "-c", "DEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(COPY)\nDEFINE QLOCAL(DUMP)")
    texts = {name: fitted(FORGED, length) for name, length in LENGTHS.items()}
    with (
        open_store("sqlite:///store.db") as store,
        store.queue_manager("SHOP").connect() as connection,
    ):
        orders = connection.open("ORDERS", MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)
        descriptor = MessageDescriptor(**texts)  # type: ignore[arg-type]
        orders.put(Message(b"one", descriptor), PutMessageOptions(MQPMO.SET_ALL_CONTEXT))
    for command, queue in (
        (("export", "--messages", "ORDERS"), "COPY"),
        (("amqsbcg", "ORDERS", "SHOP"), "DUMP"),
    ):
        ended = imported(mqsc, mqsc(*command).out, "-m", "SHOP", "-q", queue, name="orders.txt")
        assert (ended.code, ended.lines[-1].partition(": ")[2]) == (
            0,
            "1 message imported into SHOP",
        )
    first, *others = (
        mqsc("browse", queue, "--format", "jsonl").rows for queue in ("ORDERS", "COPY", "DUMP")
    )
    (fields,) = ({name: row[name] for name in FIELDS} for row in first)
    assert fields["user_identifier"] == texts["user_identifier"]
    assert [[{name: row[name] for name in FIELDS} for row in rows] for rows in others] == [
        [fields],
        [fields],
    ]
