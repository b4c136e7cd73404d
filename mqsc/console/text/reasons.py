"""Errors and reason codes as text, with their meanings; counted nouns."""

from collections.abc import Iterable, Iterator

from mqsc.console.terminal import columns, wrapped
from mqsc.store.constants import name_of
from mqsc.store.error import MQError, NotAuthorizedError, StoreError

Q_MGR_NAME_ERROR, Q_MGR_NOT_AVAILABLE = 2058, 2059


def error_text(error: MQError | StoreError) -> str:
    """An error of the MQI in one line, such as `2053 MQRC_Q_FULL (ORDERS): The queue holds MAXDEPTH
    messages.`

    An error of the store has no code, and needs no explanation.
    """
    if isinstance(error, NotAuthorizedError) and error.explanation:
        return f"{error}: {error.explanation}."
    return _explained(str(error), int(error.reason)) if isinstance(error, MQError) else str(error)


def sentence_of(error: MQError) -> str:
    """The error of a failed call as the command line prints it: with a number of MQSC's messages
    where MQ has one.
    """
    reason = int(error.reason)
    if reason not in (Q_MGR_NAME_ERROR, Q_MGR_NOT_AVAILABLE):
        return error_text(error)
    from mqsc.language.reply import FAILURE_MESSAGES, message_text

    return (
        f"{FAILURE_MESSAGES[reason]}: {message_text(FAILURE_MESSAGES[reason], error.object_name)}"
    )


def reason_text(reason: int) -> str:
    """A reason or feedback code in the same form, without the name of an object."""
    return _explained(" ".join([str(reason), *name_of_code(reason)]), reason)


def name_of_code(reason: int) -> list[str]:
    """The name of an MQRC or MQFB, as a list of one; an empty list for another number."""
    named = ((family, name_of(family, reason)) for family in ("MQRC", "MQFB"))
    return [name for family, name in named if name.startswith(family)][:1]


def legend(reasons: Iterable[int]) -> Iterator[str]:
    """A line for each code in a table or log above, once, in the order given; none for 0 and
    unknown codes.
    """
    return (reason_text(each) for each in dict.fromkeys(reasons) if each and meaning_of(each))


def legend_lines(reasons: Iterable[int]) -> Iterator[str]:
    """The legend after an empty line, wrapped on a terminal."""
    for number, line in enumerate(legend(reasons)):
        yield from ("",) if number == 0 else ()
        yield from wrapped(line, columns(), hanging="  ")


def meaning_of(reason: int) -> list[str]:
    """The sentence on a reason code; none for a code that is not explained."""
    from mqsc.language.codes import codes_of, reasons

    return [reasons()[code.name].cause for code in codes_of(str(reason)) if code.name in reasons()][
        :1
    ]


def _explained(text: str, reason: int) -> str:
    return ": ".join([text, *meaning_of(reason)])


def counted(number: int, noun: str) -> str:
    """The number with the noun, in the plural unless there is one."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
