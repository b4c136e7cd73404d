"""How far each MQSC command is supported: one row per command, shown after its reply and in
docs/commands.md.
"""

from collections.abc import Mapping

from msgspec import Struct

from mqsc.language.command_table import kinds_for
from mqsc.language.inert import INERT_OBJECTS
from mqsc.language.reply import REFUSAL, SUCCESS_MESSAGES, Answer, done, message_text, refused_here
from mqsc.language.support import ACCEPTED, REFUSED, Effect


class CommandSupport(Struct, frozen=True):
    """How far one command is supported. `sentence` explains it; it follows the reply if the
    command has no effect.
    """

    verb: str
    noun: str
    effect: Effect
    message_id: str
    sentence: str = ""


_DEFINING = ("DEFINE", "ALTER", "DELETE")
_SUPPORT: Mapping[tuple[str, str], tuple[Effect, str]] = {
    **{
        (verb, noun): (Effect.RECORDED, why)
        for noun, why in INERT_OBJECTS.items()
        for verb in _DEFINING
    },
    **{(command.verb, command.noun): (Effect.REFUSED, command.sentence) for command in REFUSED},
    **ACCEPTED,
}


def support_of(verb: str, noun: str) -> CommandSupport:
    """The row of a command in the table of docs/commands.md."""
    effect, sentence = _SUPPORT.get((verb, noun), (Effect.DONE, ""))
    return CommandSupport(verb, noun, effect, _message_id(verb, noun, effect), sentence)


def _message_id(verb: str, noun: str, effect: Effect) -> str:
    if effect is Effect.REFUSED:
        return REFUSAL
    kind = kinds_for(noun)[0]
    return kind.heading_id if verb == "DISPLAY" else SUCCESS_MESSAGES[verb, kind.namespace]


def answer_with_reason(verb: str, noun: str) -> Answer:
    """The answer to a command, with the sentence that explains why it has no effect or is
    refused.
    """
    support = support_of(verb, noun)
    if support.effect is Effect.REFUSED:
        return refused_here(f"{verb} {noun}", support.sentence)
    if support.message_id == "MQSC0004I":
        return Answer(
            support.message_id,
            f"{message_text(support.message_id, f'{verb} {noun}')}\n{support.sentence}",
        )
    return done(verb, kinds_for(noun)[0].namespace, support.sentence)
