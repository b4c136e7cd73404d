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
from mqsc.language.unsupported import UNSUPPORTED
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
_NO_CLUSTER = "There is no cluster repository here: queue managers in one store do not exchange definitions."

_SUPPORT: Mapping[tuple[str, str], tuple[Effect, str]] = {
    **{(verb, noun): (Effect.RECORDED, why) for noun, why in INERT_OBJECTS.items() for verb in _DEFINING},
    ("SET", "AUTHREC"): (Effect.RECORDED, NO_AUTHORITY),
    ("DELETE", "AUTHREC"): (Effect.RECORDED, NO_AUTHORITY),
    ("SET", "CHLAUTH"): (Effect.RECORDED, NO_AUTHORITY),
    ("CLEAR", "TOPICSTR"): (Effect.NOTHING, "Publications are not delivered here, so none are retained."),
    ("DISPLAY", "CHINIT"): (Effect.DONE, "lists the programs that have an initiation queue of channels open"),
    ("DISPLAY", "CMDSERV"): (Effect.DONE, "RUNNING, or STOPPED after STOP CMDSERV"),
    ("DISPLAY", "LSSTATUS"): (Effect.DONE, "no listener runs, so no status exists"),
    ("DISPLAY", "SVSTATUS"): (Effect.DONE, "no service runs, so no status exists"),
    ("DISPLAY", "CLUSQMGR"): (Effect.DONE, "always empty: there are no clusters"),
    ("DISPLAY", "QCLUSTER"): (Effect.DONE, "always empty: there are no clusters"),
    ("DISPLAY", "TCLUSTER"): (Effect.DONE, "always empty: there are no clusters"),
    ("DISPLAY", "PUBSUB"): (Effect.DONE, "always INACTIVE; subscriptions and topic strings are counted"),
    ("DISPLAY", "CFSTATUS"): (Effect.DONE, "TYPE(SUMMARY) and TYPE(CONNECT)"),
    ("DISPLAY", "GROUP"): (Effect.DONE, "the members of the queue-sharing group"),
    ("DISPLAY", "APSTATUS"): (Effect.DONE, "lists connections by application; connections are not balanced"),
    ("PING", "CHANNEL"): (Effect.DONE, "sends no data: it finds the partner and checks its end"),
    ("REFRESH", "CLUSTER"): (Effect.NOTHING, _NO_CLUSTER),
    ("REFRESH", "QMGR"): (Effect.DONE, "TYPE(EXPIRY) scans; TYPE(CONFIGEV) raises events; TYPE(PROXYSUB) does nothing"),
    ("REFRESH", "SECURITY"): (
        Effect.NOTHING,
        "No authority is enforced and no certificate is used here, and changes of CONNAUTH take effect at once.",
    ),
    ("RESET", "CLUSTER"): (Effect.NOTHING, _NO_CLUSTER),
    ("RESET", "QMGR"): (Effect.NOTHING, "There are no statistics records, log extents or hierarchies here."),
    ("RESUME", "QMGR"): (Effect.NOTHING, _NO_CLUSTER),
    ("SUSPEND", "QMGR"): (Effect.NOTHING, _NO_CLUSTER),
    ("START", "CHANNEL"): (Effect.DONE, "runs while `runmqchi` or `mqsc serve` does, or by `mqsc channel run`"),
    ("START", "CHINIT"): (Effect.DONE, "starts nothing: `runmqchi` and `mqsc serve` are the channel initiators"),
    ("START", "CMDSERV"): (Effect.DONE, "The commands that waited on SYSTEM.ADMIN.COMMAND.QUEUE are performed."),
    ("START", "LISTENER"): (Effect.NOTHING, "No listener runs here: programs open the store directly."),
    ("START", "SERVICE"): (Effect.NOTHING, "Services do not run here: no program will be started."),
    ("STOP", "CHINIT"): (Effect.DONE, "stops the channels; the initiators continue"),
    ("STOP", "CMDSERV"): (Effect.DONE, "Commands wait on SYSTEM.ADMIN.COMMAND.QUEUE until START CMDSERV."),
    ("STOP", "LISTENER"): (Effect.NOTHING, "No listener was running."),
    ("STOP", "SERVICE"): (Effect.NOTHING, "No service was running."),
}
REFUSAL = "MQSC0003E"


def _support_of(verb: str, noun: str) -> CommandSupport:
    unsupported = UNSUPPORTED.get((verb, noun))
    if unsupported is not None:
        return CommandSupport(verb, noun, Effect.REFUSED, REFUSAL, unsupported.sentence)
    effect, sentence = _SUPPORT.get((verb, noun), (Effect.DONE, ""))
    return CommandSupport(verb, noun, effect, _message_id(verb, noun, effect), sentence)


def _message_id(verb: str, noun: str, effect: Effect) -> str:
    kind = kinds_for(noun)[0]
    if effect is Effect.REFUSED:
        return REFUSAL
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
