"""The words of a scenario: options, fields and their values, and the description of a message."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import mqsc
from mqsc.store import constants
from mqsc.store.constants import MQCA, MQFMT, MQIA, MQMO, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh, mqxqh
from mqsc.store.message import Message

# The actual result of a line, described with the words of the expected result.
Outcome = Callable[[list[str]], list[str]]
# Fields whose values have names, and the family of these constants.
NAMED = {"report": "MQRO", "feedback": "MQFB", "msg_type": "MQMT", "msg_flags": "MQMF"}
MATCHED = {
    "msg_id": MQMO.MATCH_MSG_ID,
    "correl_id": MQMO.MATCH_CORREL_ID,
    "group_id": MQMO.MATCH_GROUP_ID,
    "msg_seq_number": MQMO.MATCH_MSG_SEQ_NUMBER,
    "offset": MQMO.MATCH_OFFSET,
}
IDS = frozenset(("msg_id", "correl_id", "group_id"))
# Fields whose values are text even if they consist of digits.
TEXTS = frozenset(
    ("codec", "hex", "put_date", "put_time", "reply_to_q", "reply_to_q_mgr", "user_identifier"),
)
SYNONYMS = {"bc": "backout_count", "seq": "msg_seq_number", "flags": "msg_flags"}
# Properties of a message other than the fields of its descriptor.
PROPERTIES: dict[str, Callable[[Message], int | None]] = {
    "length": lambda message: len(message.body),
    "data_length": lambda message: message.data_length,
    "embedded": lambda message: mqxqh.embedded_expiry(message.body, message.descriptor.encoding),
    "reason": lambda message: mqdlh.unpack_mqdlh(message.body).reason,
}


class Words(NamedTuple):
    """The words of a call: names of messages, fields with their values, options."""

    names: list[str]
    fields: dict[str, Any]
    options: int


def sorted_words(
    words: list[str],
    options: type[Any],
    placed: dict[str, MessageDescriptor],
) -> Words:
    """Sort words into names, fields and options. `placed` holds the messages put so far, whose
    ids words may name.
    """
    fields = dict(each.split("=", 1) for each in words if "=" in each)
    known = [each for each in words if "=" not in each and is_option(options, each)]
    names = [
        name for each in words if "=" not in each and each not in known for name in spread(each)
    ]
    whole = {SYNONYMS.get(name, name): value for name, value in fields.items()}
    valued = {name: value_of(name, value, placed) for name, value in whole.items()}
    return Words(names, valued, sum(option(options, each) for each in known))


def value_of(name: str, value: str, placed: dict[str, MessageDescriptor]) -> Any:
    """The value of a field: a number, names of constants, or the name of a message put before
    for its id.
    """
    if name in IDS:
        told = placed.get(value)
        if told is None:
            return value.encode().ljust(24, b"\0")
        return told.group_id if name == "group_id" else told.msg_id
    if name == "accounting_token":
        return value.encode()
    if name in TEXTS:
        return value
    if value.startswith("0x"):
        return int(value, 16)
    if value.lstrip("-").isdigit():
        return int(value)
    if name in NAMED:
        return sum(int(getattr(getattr(constants, NAMED[name]), each)) for each in value.split("+"))
    return value


def message_of(name: str, fields: dict[str, Any]) -> Message:
    """A message whose data is its name, padded with dots to `length`, after the requested
    headers.
    """
    length, embedded = int(fields.pop("length", 0)), fields.pop("embedded", None)
    body = bytes.fromhex(fields.pop("hex", "")) or name.encode(fields.pop("codec", "ascii")).ljust(
        length,
        b".",
    )
    if embedded is not None:
        sent = MessageDescriptor(
            expiry=int(embedded),
            priority=0,
            persistence=0,
            msg_id=name.encode(),
        )
        body = mqxqh.pack(mqxqh.TransmissionHeader("FAR", "QM2", sent)) + body
        fields["format"] = MQFMT.XMIT_Q_HEADER
    if "dead" in fields:
        dead_letter = mqdlh.DeadLetterHeader(
            MQRC.Q_FULL,
            "Q",
            "QM1",
            546,
            1208,
            str(fields.pop("dead")),
            7,
            "QM1",
            "",
            "",
        )
        body, fields["format"] = mqdlh.pack_mqdlh(dead_letter) + body, MQFMT.DEAD_LETTER_HEADER
    if "cut" in fields:
        body = body[: int(fields.pop("cut"))]
    return Message(body, MessageDescriptor(**fields))


def shown(message: Message, wanted: list[str], placed: dict[str, MessageDescriptor]) -> list[str]:
    """The message described with the expected words, followed by an unexpected warning as CC/RC."""
    said = [_shown(message, each, placed) for each in wanted]
    unexpected = message.completion and not any("/" in each for each in wanted)
    return [*said, code(message)] if unexpected else said


def _shown(message: Message, wanted: str, placed: dict[str, MessageDescriptor]) -> str:
    name, equals, value = wanted.partition("=")
    if "/" in wanted:
        return code(message)
    if not equals:
        return message.body.rstrip(b".").decode("latin_1")
    if name in PROPERTIES:
        return f"{name}={PROPERTIES[name](message)}"
    field = SYNONYMS.get(name, name)
    seen = getattr(message.descriptor, field)
    return wanted if seen == value_of(field, value, placed) else f"{name}={seen}"


def code(message: Message | MQError) -> str:
    """CC/RC of a put or get, or of the error of one that failed."""
    return f"{message.completion}/{int(message.reason)}"


def told(replies: list[mqsc.Reply], wanted: str) -> str:
    """What the replies say about the expected word: a column of the rows, a line, CC/RC, or the
    id of the message.
    """
    name, equals, _ = wanted.partition("=")
    lines = [line for reply in replies for line in reply.text.splitlines()]
    if wanted.startswith('"'):
        return wanted if any(is_like(wanted, line) for line in lines) else repr(lines)
    if name == "lines":
        return f"lines={len(lines)}"
    if equals:
        rows = [row for reply in replies for row in reply.rows or [{}]]
        shown = [
            ",".join(row) if name == "keys" else str(row.get(name, "-")).replace(" ", "_")
            for row in rows
        ]
        return f"{name}={','.join(dict.fromkeys(shown) if name == 'keys' else shown)}"
    if wanted == "0/0":
        failed = [reply.message_id for reply in replies if reply.completion]
        return "+".join(dict.fromkeys(failed)) or wanted
    said = [
        f"{each.completion}/{each.reason}" if "/" in wanted else each.message_id for each in replies
    ]
    return "+".join(dict.fromkeys(said))


def is_like(pattern: str, line: str) -> bool:
    """Whether a line is the text in quotes, where ... stands for any text."""
    return (
        re.fullmatch(".*".join(map(re.escape, pattern.strip('"').split("..."))), line) is not None
    )


def constant(word: str) -> str:
    """The name of the constant for a word such as `browse-first`."""
    return word.upper().replace("-", "_")


def selector(name: str) -> int:
    """The number of an MQIA or MQCA selector."""
    return int(getattr(MQIA, name, None) or getattr(MQCA, name))


def spread(word: str) -> list[str]:
    """m1, m2 and m3 for `m*3`; any other word is one name."""
    stem, star, number = word.partition("*")
    return [f"{stem}{each}" for each in range(1, int(number) + 1)] if star else [word]


def is_option(options: type[Any], word: str) -> bool:
    """Whether a word is an option: in lower case, or a hexadecimal number."""
    return word.startswith("0x") or (word.islower() and hasattr(options, constant(word)))


def option(options: type[Any], word: str) -> int:
    return int(word, 16) if word.startswith("0x") else int(getattr(options, constant(word)))


def code_of(call: Callable[[], object]) -> str:
    """CC/RC of a call that may fail."""
    try:
        call()
    except MQError as refused:
        return f"{refused.completion}/{int(refused.reason)}"
    return "0/0"


def after(words: list[str], preposition: str) -> str:
    """Remove a preposition and the word after it from the words; return that word, or blank if
    there is none.
    """
    if preposition not in words:
        return ""
    at = words.index(preposition)
    words.pop(at)
    return words.pop(at)
