"""Messages of dmpmqmsg, qload and amqsbcg: scenarios I01 to I25 and I57 of the specification."""

from __future__ import annotations

import gzip
import io
import os
import random
import string
from pathlib import Path

import pytest

from mqsc.imports.qload import FoundMessages, Position, read_qload
from mqsc.imports.qload_output import heading, qload_lines
from mqsc.store.descriptor import FIELDS, MessageDescriptor
from mqsc.store.message import Message
from tests.mqsc.conftest import Command, Ended
from tests.mqsc.imports.history import corpus, events, imported, needs_corpus

HEADING = (
    "* DMPMQMSG Version:9.4.0.0 Created:Sun Mar  1 10:00:05 2026\n* Qmgr  = SHOP\n* Queue = "
    "ORDERS\n\n"
)
EXAMPLE = (
    HEADING
    + """\
A VER 2
A RPT 0
A MST 8
A EXP 2950
A ENC 546
A CCS 1208
A FMT MQSTR   \n\
A PRI 4
A PER 1
A MSI 414D512053484F50202020202020202001020304050607FF
A BOC 2
A USR anna        \n\
A PAN orders                      \n\
A PTD 20260301
A PTT 09593012
X 74776F20636F6666656573                              <two coffees>

"""
)


@pytest.fixture(autouse=True)
def shop(mqsc: Command) -> None:
    """The queue manager SHOP with the queues ORDERS, of three messages, and BAD."""
    mqsc("qmgr", "create", "SHOP", "--clock", "manual")
    mqsc(
        "run",
        "-c",
        "DEFINE QLOCAL(ORDERS) MAXDEPTH(3)\nDEFINE QLOCAL(BAD)\nALTER QMGR DEADQ(BAD)",
    )


def loaded(mqsc: Command, content: str, *options: str) -> Ended:
    """The end of the import of a file of messages."""
    return imported(mqsc, content, *options, name="messages.qload")


def browsed(mqsc: Command, queue: str = "ORDERS") -> list[dict[str, object]]:
    """The messages on a queue."""
    return mqsc("browse", queue, "--format", "jsonl").rows


def read(*lines: str) -> list[FoundMessages]:
    """The messages in lines of a file."""
    return [*read_qload(io.BytesIO("\n".join((*lines, "")).encode()), Position())]


def test_i01_i19_a_message_keeps_its_descriptor_and_its_context(mqsc: Command) -> None:
    ended = loaded(mqsc, EXAMPLE)
    assert (ended.code, ended.lines) == (
        0,
        [
            "messages.qload: the Expiry of 1 message counts from now",
            "messages.qload (qload): 1 message imported into SHOP",
        ],
    )
    (message,) = browsed(mqsc)
    expected = {
        "body": {"text": "two coffees"},
        "expiry": 2950,
        "format": "MQSTR",
        "priority": 4,
        "persistence": 1,
        "msg_id": "414d512053484f50202020202020202001020304050607ff",
        "backout_count": 2,
        "user_identifier": "anna",
        "put_appl_name": "orders",
        "put_date": "20260301",
        "put_time": "09593012",
    }
    assert {name: message[name] for name in expected} == expected
    assert "backed out 2 times" in mqsc("poison", "ORDERS").out


def test_i02_the_same_file_is_put_once_and_of_one_that_grew_what_is_new(mqsc: Command) -> None:
    loaded(mqsc, EXAMPLE)
    again = loaded(mqsc, EXAMPLE)
    assert "1 message already there" in again.out
    assert "nothing imported" in again.out
    grown = loaded(mqsc, EXAMPLE + "N\nX 41\n")
    assert (grown.code, [each["body"] for each in browsed(mqsc)]) == (
        0,
        [{"text": "two coffees"}, {"text": "A"}],
    )


def test_i03_a_message_without_its_descriptor(mqsc: Command) -> None:
    loaded(mqsc, EXAMPLE + "N\nX 41\n")
    assert [(each["format"], each["put_date"]) for each in browsed(mqsc)] == [
        ("MQSTR", "20260301"),
        ("", ""),
    ]


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        pytest.param(("X ",), b"", id="I04"),
        pytest.param(("X",), b"", id="I04-bare"),
        pytest.param(("X 4142  <AB>",), b"AB", id="I05"),
        pytest.param(('S "a~"b~~"', "X 00", 'S "c"'), b'a"b~\0c', id="I06"),
        pytest.param(("T hi",), b"hi\n", id="I07"),
        pytest.param(("T hi", "T "), b"hi\n\n", id="I07-two"),
        pytest.param(("S unquoted  ",), b"unquoted", id="R6"),
        pytest.param(("* a comment", "X 41"), b"A", id="R1"),
    ],
)
def test_the_data_of_a_message(lines: tuple[str, ...], body: bytes) -> None:
    (found,) = read("A VER 2", *lines)
    assert (found.messages[0].body, found.fault) == (body, "")


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        pytest.param(("A PRI 4",), "no data line", id="I04"),
        pytest.param(("A PRI 4", "X 41 42"), "without blanks", id="I05-blank"),
        pytest.param(("A PRI 4", "X 414"), "pairs of hexadecimal", id="I05-odd"),
        pytest.param(("A XYZ 4", "X 41"), "'XYZ' is not known", id="R4"),
        pytest.param(("A PRI four", "X 41"), "not a number", id="number"),
        pytest.param(("A PRI 4000000000", "X 41"), "more than 32 bits", id="range"),
        pytest.param((f"A MSI {'00' * 25}", "X 41"), "25 bytes in a field of 24", id="bytes"),
        pytest.param(("N", "A PRI 4", "X 41"), "N (no descriptor)", id="R3"),
        pytest.param(("A PRI 4", 'S "a'), "quote at the end", id="R6"),
        pytest.param(("A PRI 4", "Q 41", "X 41"), "neither an attribute nor data", id="letter"),
    ],
)
def test_a_damaged_message_has_its_line_and_costs_no_other(
    lines: tuple[str, ...],
    fault: str,
) -> None:
    # A message without data ends only where the file does.
    behind = ("N", "X 42") if any(line[0] in "XS" for line in lines) else ()
    first, found, *others = read("A PRI 1", "X 41", *lines, *behind)
    good = [(each.messages[0].body, each.fault) for each in (first, *others)]
    assert good == [(b"A", ""), (b"B", "")][: 1 + len(others)]
    assert found.is_lost
    assert fault in found.fault
    assert found.fault_line in range(3, 3 + len(lines))


def test_i08_the_line_ends_of_windows(mqsc: Command) -> None:
    loaded(mqsc, EXAMPLE.replace("\n", "\r\n"))
    (message,) = browsed(mqsc)
    assert (message["format"], message["body"]) == ("MQSTR", {"text": "two coffees"})


def test_i09_a_later_heading_changes_the_queue(mqsc: Command) -> None:
    loaded(mqsc, EXAMPLE + "* Queue = BAD\nA PRI 1\nX 41\n")
    assert [len(browsed(mqsc, queue)) for queue in ("ORDERS", "BAD")] == [1, 1]


def test_i10_a_file_without_a_heading_needs_both_names(mqsc: Command) -> None:
    bare = EXAMPLE.removeprefix(HEADING)
    ended = loaded(mqsc, bare)
    assert ended.code == 20
    assert "-m" in ended.err
    assert "--queue" in ended.err
    assert loaded(mqsc, bare, "-m", "SHOP", "-q", "BAD").code == 0
    assert len(browsed(mqsc, "BAD")) == 1


def test_i11_a_message_without_a_limit_has_none_here(mqsc: Command) -> None:
    assert "Expiry" not in loaded(mqsc, EXAMPLE.replace("EXP 2950", "EXP -1")).out
    assert browsed(mqsc)[0]["expiry"] == -1


@needs_corpus
def test_i12_a_dead_letter_that_is_cut_stops_the_import_or_is_put_as_far_as_it_is_there(
    mqsc: Command,
) -> None:
    path = corpus("amqsbcg-DEADQ")
    refused = mqsc("import", path, "-m", "SHOP", "-q", "BAD")
    assert refused.code == 10
    assert f"{path}:5: it is truncated: 384 of 856 bytes are there" in refused.err
    assert browsed(mqsc, "BAD") == []
    assert mqsc("import", path, "-m", "SHOP", "-q", "BAD", "--keep-going").code == 10
    (row,) = mqsc("dlq", "show", "BAD", "--format", "jsonl").rows
    found = row["dead_letter"]
    assert (found["reason"], found["dest_q_name"]) == (265, "SYSTEM.CICS.INITIATION.QUEUE")


@needs_corpus
def test_i13_i16_a_dead_letter_header_in_the_byte_order_of_its_encoding(mqsc: Command) -> None:
    assert mqsc("import", corpus("dead-letter__index.md#L86"), "-m", "SHOP", "-q", "BAD").code == 0
    (row,) = mqsc("dlq", "show", "BAD", "--format", "jsonl").rows
    found = row["dead_letter"]
    assert (found["reason"], found["dest_q_name"], found["dest_q_mgr_name"]) == (
        2051,
        "QL.A",
        "QMW",
    )
    Path("rules.txt").write_text(
        "REASON(2051) DESTQ(QL.A) ACTION(FWD) FWDQ(ORDERS) HEADER(NO)\n",
        encoding="utf-8",
    )
    assert "ORDERS" in mqsc("dlq", "test", "rules.txt", "--queue", "BAD").out
    (event,) = events(mqsc, "BAD", "--kind", "PUT")
    assert (event["reason"], event["detail"]["destination"]) == (2051, "QL.A")


def test_i14_a_dead_letter_header_that_is_none_is_put_as_it_is(mqsc: Command) -> None:
    assert loaded(mqsc, EXAMPLE.replace("MQSTR ", "MQDEAD"), "-q", "BAD").code == 0
    assert "not an MQDLH" in mqsc("dlq", "show", "BAD").out


def test_i17_what_a_queue_has_is_written_and_read_again(mqsc: Command) -> None:
    mqsc(
        "put",
        "ORDERS",
        "with properties",
        "--property",
        "color=red",
        "--property",
        "n:int32=5",
        "--expiry",
        "1h",
    )
    mqsc("put", "ORDERS", "", "two")
    first = mqsc("export", "--messages", "ORDERS")
    assert first.code == 0
    assert first.lines[1:3] == ["* Qmgr  = SHOP", "* Queue = ORDERS"]
    loaded(mqsc, first.out, "-q", "BAD")
    second = mqsc("export", "--messages", "BAD")
    assert second.lines[3:] == first.lines[3:]
    assert mqsc("browse", "BAD", "1").out.count("red") == 1


def test_i18_a_full_queue_takes_no_message_of_a_batch(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(2)")
    ended = loaded(mqsc, EXAMPLE + "N\nX 41\n\nN\nX 42\n")
    assert (ended.code, browsed(mqsc)) == (10, [])
    assert "messages.qload:25: 2053 MQRC_Q_FULL" in ended.err
    assert "nothing imported (--keep-going" in ended.out
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(3)")
    assert (loaded(mqsc, EXAMPLE + "N\nX 41\n\nN\nX 42\n").code, len(browsed(mqsc))) == (0, 3)


def test_a_message_that_is_too_long_is_left_out_with_keep_going(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXMSGL(3)")
    ended = loaded(mqsc, f"{HEADING}N\nX 41\n\nN\nX 41424344\n\nN\nX 42\n", "--keep-going")
    assert (ended.code, [each["body"] for each in browsed(mqsc)]) == (
        10,
        [{"text": "A"}, {"text": "B"}],
    )
    assert "messages.qload:8: 2030" in ended.err


def test_without_keep_going_a_damaged_message_ends_the_import_and_the_next_one_goes_on_there(
    mqsc: Command,
) -> None:
    damaged = f"{HEADING}N\nX 41\n\nN\nX 414\n\nN\nX 43\n"
    ended = loaded(mqsc, damaged)
    assert (ended.code, [each["body"] for each in browsed(mqsc)]) == (10, [{"text": "A"}])
    assert "messages.qload:9: " in ended.err
    assert "1 message imported into SHOP; nothing from messages.qload:8" in ended.out
    assert loaded(mqsc, damaged.replace("414", "4142")).code == 0
    assert [each["body"] for each in browsed(mqsc)] == [
        {"text": "A"},
        {"text": "AB"},
        {"text": "C"},
    ]


def test_a_plan_puts_nothing(mqsc: Command) -> None:
    ended = loaded(mqsc, EXAMPLE, "--plan")
    assert ended.lines[-1] == "messages.qload (qload): 1 message would be imported into SHOP"
    assert browsed(mqsc) == []


def test_a_plan_says_what_would_be_refused(mqsc: Command) -> None:
    """One that is too long, and one for which the others leave no room: as the import itself."""
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXMSGL(3)")
    given = HEADING + "N\nX 41\n\n" + "N\nX 41424344\n\n" + "N\nX 41\n\n" * 2
    for options, count in ((("--keep-going",), 3), ((), 0)):
        planned = loaded(mqsc, given, "--plan", *options)
        assert (planned.code, "messages.qload:8: 2030" in planned.err) == (10, True)
        assert planned.lines[-1].startswith(
            f"messages.qload (qload): {f'{count} messages' if count else 'nothing'} would",
        )
    full = loaded(mqsc, given + "N\nX 41\n\n", "--plan", "--keep-going")
    assert (full.code, "messages.qload:17: 2053" in full.err) == (10, True)
    assert browsed(mqsc) == []


def test_a_plan_of_two_files_counts_the_messages_of_the_first(mqsc: Command) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(3)")
    for name, body in (("1.qload", "41"), ("2.qload", "42")):
        Path(name).write_text(HEADING + f"N\nX {body}\n\n" * 2, encoding="utf-8")
    planned = mqsc("import", "1.qload", "2.qload", "--plan")
    ended = mqsc("import", "1.qload", "2.qload")
    assert (planned.code, planned.err) == (ended.code, ended.err)
    assert "2.qload:8: 2053" in planned.err


def test_a_compressed_file_that_is_damaged_is_not_imported_and_of_one_that_was_cut_what_is_there(
    mqsc: Command,
) -> None:
    mqsc("run", "-c", "ALTER QLOCAL(ORDERS) MAXDEPTH(9999)")
    bodies = [b"%04d" % number for number in range(2000)]
    text = HEADING + "".join(f"N\nX {each.hex()}\n\n" for each in bodies)
    whole = gzip.compress(text.encode())
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for content in (bytes(changed), whole[: len(whole) // 2]):
        ended = imported(mqsc, content, name="messages.gz")
        assert (ended.code, browsed(mqsc)) == (20, [])
        assert "mqsc: messages.gz: its compressed data is damaged: " in ended.err
    kept = imported(mqsc, whole[: len(whole) // 2], "--keep-going", name="messages.gz")
    count = len(browsed(mqsc))
    assert 100 < count < len(bodies)
    line = len((HEADING + "N\nX 30\n\n" * count).splitlines()) + 1
    assert kept.code == 10
    assert (
        f"messages.gz:{line}: left out: the last message before the damage, which may be cut"
        in kept.err
    )
    assert imported(mqsc, whole, name="messages.gz").code == 0
    assert [each["body"] for each in browsed(mqsc)] == [{"text": each.decode()} for each in bodies]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("-q", "NONE"), "2085 MQRC_UNKNOWN_OBJECT_NAME (NONE)"),
        (("-m", "OTHER"), "AMQ8118E: IBM MQ queue manager 'OTHER' does not exist"),
    ],
)
def test_a_queue_or_queue_manager_that_does_not_exist(
    mqsc: Command,
    options: tuple[str, str],
    words: str,
) -> None:
    ended = loaded(mqsc, EXAMPLE, *options)
    assert ended.code == 10
    assert words in ended.err


@needs_corpus
def test_i22_a_descriptor_that_somebody_cut(mqsc: Command) -> None:
    ended = mqsc("import", corpus("cp4i"), "-m", "SHOP", "-q", "BAD", "--keep-going")
    assert (ended.code, ended.err.count("the descriptor is cut; what is there is put")) == (10, 2)
    assert [each["body"] for each in browsed(mqsc, "BAD")] == [
        {"text": "Test message 1"},
        {"text": "Test message 2"},
    ]


BROWSED = """\
AMQSBCG0 - starts here
**********************

 MQOPEN - 'BAD'

 MQGET of message number 1, CompCode:0 Reason:0
****Message descriptor****

  StrucId  : 'MD  '  Version : 2
  Format : 'MQSTR   '
  AccountingToken :
   X'05'

****Message properties****

  Color : 'red'
  size: 7
  key: X'0102'

{more}****   Message      ****

 length - {length} of {length} bytes

00000000:  4865 6C6C 6F2C 2077 6F72 6C64 2120 21   'Hello, world! ! '

 No more messages
"""


def test_i23_data_that_is_shorter_than_its_length(mqsc: Command) -> None:
    ended = imported(
        mqsc,
        BROWSED.format(length=16, more=""),
        "-m",
        "SHOP",
        "--keep-going",
        name="out.txt",
    )
    assert ended.code == 10
    assert "out.txt:6: it is truncated: 15 of 16 bytes are there" in ended.err
    assert [each["body"] for each in browsed(mqsc, "BAD")] == [{"text": "Hello, world! !"}]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("X'0102'", "X'010'"), ("size: 7", "size: 99999999999999999999"), ("X'05'", "X'5'")],
)
def test_a_value_of_amqsbcg_that_is_none(mqsc: Command, right: str, wrong: str) -> None:
    content = BROWSED.replace(right, wrong).format(length=15, more="")
    ended = imported(mqsc, content, "-m", "SHOP", name="out.txt")
    assert (ended.code, "has no valid value" in ended.err, browsed(mqsc, "BAD")) == (10, True, [])


@pytest.mark.parametrize(
    "more",
    ["", "****Dead-letter header****\n  Reason : 2053\n\n"],
    ids=["I24", "I25"],
)
def test_the_properties_that_amqsbcg_shows(mqsc: Command, more: str) -> None:
    assert (
        imported(mqsc, BROWSED.format(length=15, more=more), "-m", "SHOP", name="out.txt").code == 0
    )
    (message,) = browsed(mqsc, "BAD")
    assert message["properties"] == {"Color": "red", "size": {"int32": 7}, "key": {"bytes": "0102"}}
    assert str(message["accounting_token"]).startswith("0500")


def test_output_of_amqsbcg_here_is_read_again(mqsc: Command) -> None:
    mqsc(
        "put",
        "ORDERS",
        "it's 'quoted'",
        "--expiry",
        "1h",
        "--priority",
        "7",
        "--correl-id",
        "0102",
    )
    assert (
        imported(
            mqsc,
            mqsc("amqsbcg", "ORDERS", "SHOP").out,
            "-m",
            "SHOP",
            "-q",
            "BAD",
            name="out.txt",
        ).code
        == 0
    )
    (first,), (second,) = browsed(mqsc), browsed(mqsc, "BAD")
    assert {**second, "put_at": None} == {**first, "put_at": None}


@pytest.mark.parametrize(
    "lines",
    ["A FMT MQXMIT", "A FMT MQTRIG", "A MST 4\nA FDB 258"],
    ids=["xmit", "trigger", "expired"],
)
def test_i15_messages_of_the_queue_manager_are_put_as_they_are(mqsc: Command, lines: str) -> None:
    assert loaded(mqsc, f"{HEADING}A VER 2\n{lines}\nX 4142\n\n").code == 0
    written = {each.rstrip() for each in mqsc("export", "--messages", "ORDERS").lines}
    assert {"X 4142", *lines.split("\n")} <= written


def test_i20_what_is_written_to_a_file_that_exists_takes_no_messages(mqsc: Command) -> None:
    loaded(mqsc, EXAMPLE)
    before = browsed(mqsc)
    Path("orders.qload").write_text("kept", encoding="utf-8")
    mqsc("export", "--messages", "ORDERS", "--out", "orders.qload")
    assert browsed(mqsc) == before
    assert before[0]["backout_count"] == 2


@needs_corpus
def test_every_output_of_amqsbcg_in_the_corpus_is_read(mqsc: Command) -> None:
    paths = [
        each
        for each in Path(corpus("amqsbcg-DEADQ")).parent.iterdir()
        if b"AMQSBCG0" in each.read_bytes()
    ]
    assert len(paths) >= 7
    for path in paths:
        ended = mqsc("import", str(path), "-m", "SHOP", "-q", "BAD", "--keep-going")
        assert "imported into SHOP" in ended.lines[-1], path


ROUND_TRIPS = int(os.environ.get("MQSC_ROUND_TRIPS", "300"))
LETTERS = string.ascii_letters + string.digits + "./_%"


def random_message(chance: random.Random) -> Message:
    """A message with random values in all fields, or the usual ones."""
    values: dict[str, object] = {}
    for name, usual in zip(
        FIELDS,
        MessageDescriptor(put_date="", put_time="").fields(),
        strict=True,
    ):
        length = {"format": 8, "put_date": 8, "put_time": 8, "appl_origin_data": 4}.get(name, 12)
        if chance.random() < 0.5:
            values[name] = usual
        elif isinstance(usual, bytes):
            values[name] = chance.randbytes(len(usual))
        elif isinstance(usual, int):
            values[name] = chance.randrange(-(1 << 31), 1 << 31)
        else:
            values[name] = " " * chance.randrange(2) + "".join(
                chance.choices(LETTERS, k=chance.randrange(1, length)),
            )
    body = chance.randbytes(chance.choice((0, 1, 24, 25, 26, 50, 333)))
    return Message(body, MessageDescriptor(**values))  # type: ignore[arg-type]


def test_random_messages_are_written_and_read_without_a_difference() -> None:
    chance = random.Random(34)
    messages = [random_message(chance) for _ in range(ROUND_TRIPS)]
    # Runs of messages that differ in a few attributes are read another way.
    messages += [
        Message(
            chance.randbytes(30),
            MessageDescriptor(msg_id=chance.randbytes(24), put_time=f"{number:08}"),
        )
        for number in range(ROUND_TRIPS)
    ]
    lines = [
        *heading("SHOP", "ORDERS", "now"),
        *(line for each in messages for line in qload_lines(each)),
    ]
    content = "".join(f"{line}\n" for line in lines).encode()
    found = [*read_qload(io.BytesIO(content), Position())]
    assert [message for each in found for message in each.messages] == messages
    assert not any(each.fault for each in found)
    starts = [number for number, line in enumerate(lines, 1) if line == "A VER 2"]
    assert [line for each in found for line in each.lines] == starts
    ends = [end for each in found for end in each.ends]
    assert [content[end:][:2] for end in ends] == [*[b"A "] * (len(ends) - 1), b""]
    assert [each.next_line for each in found] == [
        *(each.lines[0] for each in found[1:]),
        len(lines) + 1,
    ]
