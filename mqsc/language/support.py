"""How far each MQSC command is supported: one row per command, shown after its reply and in docs/commands.md.

DONE: performed as in MQ. RECORDED: kept and displayed, but nothing acts on it yet. NOTHING: accepted as in MQ, but
without an effect, because the thing it acts on does not exist here. REFUSED: not possible here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from msgspec import Struct

from mqsc.language.command_table import COMMANDS
from mqsc.language.inert import INERT_OBJECTS, NO_AUTHORITY
from mqsc.language.messages import message_text
from mqsc.language.nouns import kinds_for
from mqsc.language.unsupported import SUPPORT_ROWS
from mqsc.reply import SUCCESS_MESSAGES, Answer, done


class Effect(Enum):
    """How far a command is supported; the value is the word in docs/commands.md."""

    DONE = "done"
    RECORDED = "recorded"
    NOTHING = "no effect here"
    REFUSED = "refused"


class CommandSupport(Struct, frozen=True):
    """How far one command is supported. `sentence` explains it; it follows the reply if the command has no effect."""

    verb: str
    noun: str
    effect: Effect
    message_id: str
    sentence: str = ""


_DEFINING = ("DEFINE", "ALTER", "DELETE")
_SUPPORT: Mapping[tuple[str, str], tuple[Effect, str]] = {
    **{(verb, noun): (Effect.RECORDED, why) for noun, why in INERT_OBJECTS.items() for verb in _DEFINING},
    **dict.fromkeys((("SET", "AUTHREC"), ("DELETE", "AUTHREC"), ("SET", "CHLAUTH")), (Effect.RECORDED, NO_AUTHORITY)),
    **{(row["verb"], row["noun"]): (Effect[row["effect"].upper()], row["sentence"]) for row in SUPPORT_ROWS},
}
REFUSAL = "MQSC0003E"


def _support_of(verb: str, noun: str) -> CommandSupport:
    effect, sentence = _SUPPORT.get((verb, noun), (Effect.DONE, ""))
    return CommandSupport(verb, noun, effect, _message_id(verb, noun, effect), sentence)


def _message_id(verb: str, noun: str, effect: Effect) -> str:
    if effect is Effect.REFUSED:
        return REFUSAL
    kind = kinds_for(noun)[0]
    return kind.heading_id if verb == "DISPLAY" else SUCCESS_MESSAGES[verb, kind.namespace]


def support_table() -> list[CommandSupport]:
    """The rows, sorted by verb and object."""
    return [_support_of(verb, noun) for verb in sorted(COMMANDS) for noun in sorted(COMMANDS[verb])]


def answer_with_reason(verb: str, noun: str) -> Answer:
    """The answer to a command, with the sentence that explains why it has no effect or is refused."""
    row = _support_of(verb, noun)
    if row.effect is Effect.REFUSED:
        return refused_here(f"{verb} {noun}", row.sentence)
    if row.message_id == "MQSC0004I":
        return Answer(row.message_id, f"{message_text(row.message_id, f'{verb} {noun}')}\n{row.sentence}")
    return done(verb, kinds_for(noun)[0].namespace, row.sentence)


def refused_here(command: str, sentence: str) -> Answer:
    """The refusal of a command, or of one form of it, with the reason."""
    reason = f"{sentence[0].upper()}{sentence[1:].removesuffix('.')}."
    return Answer(REFUSAL, f"{message_text(REFUSAL, command)}\n{reason}", 2)
