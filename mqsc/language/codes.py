"""The meanings of reason codes, messages and constants.

The explanations are in reason_meanings.csv and message_meanings.csv, those of messages that only
IBM MQ prints in ibm_message_meanings.csv.

To explain another code or message, add a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from mqsc.language.explanation import Explanation, Part, inserts_shown
from mqsc.language.reply import FAILURE_MESSAGES, SUCCESS_MESSAGES, TEXTS
from mqsc.store import constants, table
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.constants import name_of, value_of

# The families of codes that programs receive, in the order in which a number is looked up.
FAMILIES = ("MQRC", "MQRCCF", "MQFB")
MESSAGE_ID = re.compile(r"((?:AMQ|MQSC)\d{4}|CSQ[A-Z0-9]\d{3})([A-Z]?)")
# 2053, RC2053, 0x805, X805, X'00000805': the notations of programs, manuals and error logs.
_NUMBER = re.compile(
    r"(?:(?:MQ)?RC)?(\d{1,20})|(?:0X|X(?=\d))([0-9A-F]{1,16})|X'([0-9A-F]{1,16})'",
    re.ASCII,
)
_MASK = 0xFFFFFFFF
_SEVERITIES = {"I": "information", "W": "warning", "E": "error", "S": "severe error"}


class Meaning(NamedTuple):
    """The cause of a code or message, and what to do about it."""

    cause: str
    action: str


class Code(NamedTuple):
    """A number of the MQI and its name."""

    number: int
    name: str

    @property
    def title(self) -> str:
        """Number, hexadecimal number and name, in the format of `mqrc`."""
        return f"{self.number} 0x{self.number:08x} {self.name}"


def reasons() -> dict[str, Meaning]:
    """The meanings of codes by full name."""
    return meanings_in("reason_meanings.csv", "name")


def messages() -> dict[str, Meaning]:
    """The meanings of messages by id with severity."""
    return meanings_in("message_meanings.csv", "id")


def ibm_messages() -> dict[str, Meaning]:
    """The meanings of messages that are found in logs of IBM MQ but never printed here, by id
    with severity.
    """
    return meanings_in("ibm_message_meanings.csv", "id")


def meaning_of_message(id: str) -> Meaning | None:
    """The meaning of a message with any severity, of this product or of IBM MQ; None if it has
    none here.
    """
    return next(
        (
            found
            for each in message_ids(id[:7])
            for of in (messages, ibm_messages)
            if (found := of().get(each))
        ),
        None,
    )


@cache
def meanings_in(file: str, key: str) -> dict[str, Meaning]:
    """The rows of a CSV file in this folder, by their first column, which has this name."""
    rows = table.cells(__file__, file, (key, "cause", "action"))
    return {name: Meaning(*texts) for name, *texts in rows}


def codes_of(word: str) -> list[Code]:
    """The codes with a number, in any notation, or a name, with or without its family."""
    number = number_of(word)
    if number is not None:
        named = ((family, name_of(family, number)) for family in FAMILIES)
        return [Code(number, name) for family, name in named if name.startswith(family)]
    return [code for family in FAMILIES for code in _named(family, word.upper())]


def _named(family: str, word: str) -> Iterator[Code]:
    member = getattr(constants, family).__members__.get(word.removeprefix(f"{family}_"))
    if member is not None and (word.startswith(family) or not word.startswith("MQ")):
        yield Code(int(member), f"{family}_{word.removeprefix(f'{family}_')}")


def number_of(word: str) -> int | None:
    """The number that a word denotes, or None."""
    match = _NUMBER.fullmatch(word.upper())
    if match is None:
        return None
    decimal, *hexadecimal = match.groups()
    return int(decimal) if decimal else int("".join(filter(None, hexadecimal)), 16)


def all_codes() -> list[Code]:
    """All codes with all their names, sorted by number."""
    members = (
        (family, *each)
        for family in FAMILIES
        for each in getattr(constants, family).__members__.items()
    )
    return sorted(Code(int(number), f"{family}_{member}") for family, member, number in members)


def message_ids(word: str) -> list[str]:
    """The message ids that a word denotes, with or without the severity."""
    match = MESSAGE_ID.fullmatch(word.upper())
    if match is None:
        return []
    return [
        each for each in all_message_ids() if each.startswith(match[1]) and each.endswith(match[2])
    ]


def all_message_ids() -> list[str]:
    """The ids of all messages that are printed or explained."""
    return sorted({*TEXTS, *messages(), *_headings(), *ibm_messages()})


@cache
def _headings() -> dict[str, tuple[str, Meaning]]:
    """The messages that DISPLAY prints as headings, with their texts."""
    every = (*KINDS.values(), *STATUS_KINDS.values())
    texts = {kind.heading_id: kind.heading for kind in every}
    words = {
        each: " or ".join(kind.keyword for kind in every if kind.heading_id == each)
        for each in texts
    }
    return {
        each: (texts[each], Meaning(f"The heading of DISPLAY {words[each]}.", "Nothing to do."))
        for each in texts
    }


def explain_code(word: str) -> Iterator[Explanation]:
    """Explain a reason or feedback code."""
    for code in codes_of(word):
        message_id = FAILURE_MESSAGES.get(code.number) if code.name.startswith("MQRC") else None
        answered = [Part("message", message_id)] if message_id else []
        yield Explanation(
            "reason",
            code.name,
            code.title,
            (*_parts(reasons().get(code.name)), *answered),
        )


def explain_message(word: str) -> Iterator[Explanation]:
    """Explain a message."""
    for message_id in message_ids(word):
        heading, heads = _headings().get(message_id, ("", None))
        text = inserts_shown(TEXTS.get(message_id, heading))
        answers = [
            name_of(_family(number), number)
            for number, each in FAILURE_MESSAGES.items()
            if each == message_id
        ]
        elsewhere = ibm_messages().get(message_id)
        known = (*(reasons().get(each) for each in answers), _success(message_id), heads, elsewhere)
        meaning = messages().get(message_id) or next((each for each in known if each), None)
        parts = [Part("severity", _SEVERITIES[message_id[-1]]), *_parts(meaning)]
        if answers:
            parts.append(Part("reason", ", ".join(answers)))
        if elsewhere:
            parts.append(Part("here", "never printed: a message of IBM MQ"))
        yield Explanation(
            "message",
            message_id,
            f"{message_id}: {text}" if text else message_id,
            tuple(parts),
        )


def explain_constant(word: str) -> Iterator[Explanation]:
    """Give the number of any other constant of the MQI."""
    name = word.upper()
    try:
        number = value_of(name)
    except KeyError:
        return
    heading = f"{number} 0x{number & _MASK:08x} {name}"
    yield Explanation("constant", name, heading, (Part("family", name.partition("_")[0]),))


def explain_format(word: str) -> Iterator[Explanation]:
    """Give the name of a format of messages, or its text: MQDEAD is MQFMT_DEAD_LETTER_HEADER."""
    wanted = word.upper()
    for member, text in vars(constants.MQFMT).items():
        name = f"MQFMT_{member}"
        if wanted == name or (text and wanted == text):
            yield Explanation("constant", name, f"'{text:<8}' {name}", (Part("family", "MQFMT"),))


def _success(message_id: str) -> Meaning | None:
    """The meaning of a message that reports the success of a command."""
    done = sorted(
        f"{verb} {noun.upper()}"
        for (verb, noun), each in SUCCESS_MESSAGES.items()
        if each == message_id
    )
    return Meaning(f"{' or '.join(done)} succeeded.", "Nothing to do.") if done else None


def _family(number: int) -> str:
    return "MQRC" if name_of("MQRC", number).startswith("MQRC") else "MQRCCF"


def _parts(meaning: Meaning | None) -> list[Part]:
    return [] if meaning is None else [Part("cause", meaning.cause), Part("action", meaning.action)]
