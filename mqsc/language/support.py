"""What becomes of every command of MQSC here: a row for each, told to users after its reply and in docs/commands.md.

DONE: carried out as MQ does. RECORDED: kept and displayed, and nothing acts on it yet. NOTHING: accepted as MQ accepts
it, though what it would bring about does not exist here. REFUSED: nothing can stand for it. A command that changes
sides is one row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from mqsc.language.command_table import COMMANDS
from mqsc.language.nouns import subjects_of
from mqsc.language.unsupported import ELSEWHERE
from mqsc.reply import DONE as REPLIES
from mqsc.reply import Answer, done, text_of


class Effect(Enum):
    """What becomes of a command; the value is the word for it in the docs."""

    DONE = "done"
    RECORDED = "recorded"
    NOTHING = "no effect here"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Decision:
    """`sentence` is said after the reply of a command that has no effect or is refused, and explains the others."""

    verb: str
    noun: str
    effect: Effect
    message_id: str
    sentence: str = ""


_DEFINING = ("DEFINE", "ALTER", "DELETE")
# Objects that nothing here acts on.
_KEPT: Mapping[str, str] = {
    "AUTHINFO": "no user is checked",
    "CFSTRUCT": "there is no coupling facility",
    "CHANNEL": "no channel runs",
    "LISTENER": "no port is listened on",
    "SERVICE": "no program is started",
    "STGCLASS": "there are no page sets",
    "SUB": "nothing is published",
    "TOPIC": "nothing is published",
}
NO_AUTHORITY = "No authority is enforced here: the record is kept and displayed, access is that to the store's file."
_NO_CLUSTER = "No cluster repository is kept here: queue managers of one store do not exchange definitions."

_SAID: Mapping[tuple[str, str], tuple[Effect, str]] = {
    **{(verb, noun): (Effect.RECORDED, why) for noun, why in _KEPT.items() for verb in _DEFINING},
    ("SET", "AUTHREC"): (Effect.RECORDED, NO_AUTHORITY),
    ("DELETE", "AUTHREC"): (Effect.RECORDED, NO_AUTHORITY),
    ("SET", "CHLAUTH"): (Effect.RECORDED, NO_AUTHORITY),
    ("RESET", "CHANNEL"): (Effect.RECORDED, "The number is shown as RESETSEQ: no channel runs here that could use it."),
    ("CLEAR", "TOPICSTR"): (Effect.NOTHING, "Nothing is published here, so no publication is retained."),
    ("DISPLAY", "CHINIT"): (Effect.DONE, "always STOPPED"),
    ("DISPLAY", "CMDSERV"): (Effect.DONE, "always STOPPED"),
    ("DISPLAY", "CHSTATUS"): (Effect.DONE, "no channel runs, so none has a status"),
    ("DISPLAY", "LSSTATUS"): (Effect.DONE, "no listener runs, so none has a status"),
    ("DISPLAY", "SVSTATUS"): (Effect.DONE, "no service runs, so none has a status"),
    ("DISPLAY", "CLUSQMGR"): (Effect.DONE, "there are none"),
    ("DISPLAY", "QCLUSTER"): (Effect.DONE, "there are none"),
    ("DISPLAY", "TCLUSTER"): (Effect.DONE, "there are none"),
    ("DISPLAY", "PUBSUB"): (Effect.DONE, "always INACTIVE; subscriptions and topic strings are counted"),
    ("DISPLAY", "APSTATUS"): (Effect.DONE, "who is connected, by application; nothing is balanced"),
    ("PING", "CHANNEL"): (Effect.REFUSED, "no channel reaches anybody here yet, so there is nobody to answer"),
    ("REFRESH", "CLUSTER"): (Effect.NOTHING, _NO_CLUSTER),
    ("REFRESH", "QMGR"): (Effect.DONE, "TYPE(EXPIRY) scans; TYPE(PROXYSUB) has no effect; other types are refused"),
    ("REFRESH", "SECURITY"): (
        Effect.NOTHING,
        "No authority is enforced and no certificate is used here: there is nothing to read again.",
    ),
    ("RESET", "CLUSTER"): (Effect.NOTHING, _NO_CLUSTER),
    ("RESET", "QMGR"): (Effect.NOTHING, "No statistics records, log extents or hierarchy exist here."),
    ("RESOLVE", "CHANNEL"): (Effect.REFUSED, "no channel runs here, so none is in doubt"),
    ("RESUME", "QMGR"): (Effect.NOTHING, _NO_CLUSTER),
    ("SUSPEND", "QMGR"): (Effect.NOTHING, _NO_CLUSTER),
    ("START", "CHANNEL"): (Effect.NOTHING, "Channels do not run here yet: no message will be moved."),
    ("START", "CHINIT"): (Effect.NOTHING, "Channels do not run here yet, so none will be started."),
    ("START", "CMDSERV"): (Effect.NOTHING, "Commands are carried out by the program that reads them."),
    ("START", "LISTENER"): (Effect.NOTHING, "No port is listened on here: programs open the store themselves."),
    ("START", "SERVICE"): (Effect.NOTHING, "No program is started here."),
    ("STOP", "CHANNEL"): (Effect.DONE, "no channel is ever active: AMQ9533W, unless IGNSTATE(YES)"),
    ("STOP", "CHINIT"): (Effect.NOTHING, "No channel initiator was running."),
    ("STOP", "CMDSERV"): (Effect.NOTHING, "Commands are carried out by the program that reads them."),
    ("STOP", "LISTENER"): (Effect.NOTHING, "No listener was running."),
    ("STOP", "SERVICE"): (Effect.NOTHING, "No service was running."),
}
# Answers that stand apart: DISPLAY is headed by the object, a status that is not there has an id of its own.
REFUSAL = "MQSC0003E"


def _decision(verb: str, noun: str) -> Decision:
    elsewhere = ELSEWHERE.get((verb, noun))
    if elsewhere is not None:
        return Decision(verb, noun, Effect.REFUSED, REFUSAL, elsewhere.sentence)
    effect, sentence = _SAID.get((verb, noun), (Effect.DONE, ""))
    return Decision(verb, noun, effect, _message_id(verb, noun, effect), sentence)


def _message_id(verb: str, noun: str, effect: Effect) -> str:
    kind = subjects_of(noun)[0]
    if effect is Effect.REFUSED:
        return REFUSAL
    return kind.heading_id if verb == "DISPLAY" else REPLIES[verb, kind.namespace]


def decisions() -> list[Decision]:
    """The rows, by verb and object."""
    return [_decision(verb, noun) for verb in sorted(COMMANDS) for noun in sorted(COMMANDS[verb])]


def decided(verb: str, noun: str) -> Answer:
    """The answer to a command that has no effect here, or is refused, with the reason."""
    row = _decision(verb, noun)
    if row.effect is Effect.REFUSED:
        return without_effect(f"{verb} {noun}", row.sentence)
    if row.message_id == "MQSC0004I":
        return Answer(row.message_id, f"{text_of(row.message_id, f'{verb} {noun}')}\n{row.sentence}")
    return done(verb, subjects_of(noun)[0].namespace, row.sentence)


def without_effect(command: str, sentence: str) -> Answer:
    """The refusal of a command, or a form of one, with the reason; nothing was done."""
    told = f"{sentence[0].upper()}{sentence[1:]}"
    return Answer(REFUSAL, f"{text_of(REFUSAL, command)}\n{told}{'' if told.endswith('.') else '.'}", 2)
