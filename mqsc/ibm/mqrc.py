"""`mqrc`: codes, their names and messages, with IBM's arguments and in IBM's layout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial

import click

from mqsc.cli.main import run_program
from mqsc.console.target import CommandFailedError, NothingRunError
from mqsc.console.terminal import columns
from mqsc.explain.codes import all_codes, all_message_ids, codes_of, explain_message, number_of
from mqsc.explain.dead_letters import explain_notice
from mqsc.explain.explanation import Explanation
from mqsc.explain.rules import explain_rule
from mqsc.ibm.arguments import FLAG, VALUE, Given, IbmCommand, Usage, number_in, read_arguments, unsupported

WIDTH = 100
# The options that select all codes or messages of a range.
RANGES = ("-R", "-M")
_LOGS = "there are no error logs"
USAGE = Usage(
    "mqrc",
    "mqrc [-a] [-b] [-r] ReturnCode | [-s] Symbol | [-m] AMQmessage | -R [-f First -l Last] | -M -f First -l Last | -",
    {
        "-a": FLAG, "-b": FLAG, "-f": VALUE, "-l": VALUE, "-m": VALUE, "-M": FLAG, "-r": VALUE, "-R": FLAG, "-s": VALUE,
        "-d": unsupported("there is only one language", value=True),
        **dict.fromkeys(("-i", "-o"), unsupported(_LOGS, value=True)),
        **dict.fromkeys(("-p", "-u", "-x"), unsupported(_LOGS)),
    },
    0,
    1,
)  # fmt: skip


@click.command(cls=IbmCommand, options_metavar=USAGE.line.removeprefix("mqrc "))
@click.pass_context
def mqrc(context: click.Context) -> None:
    """Print the number and name of a code, or the text of a message with an explanation.

    Numbers are decimal, or hexadecimal after 0x. -a searches all families of codes; -b prints a message without its
    explanation; -R and -M print all codes or messages from First to Last; - reads words from standard input. Exit code
    10 when a code or message is unknown, 20 when the arguments are wrong.
    """
    given = read_arguments(USAGE, context.args)
    asked = [*(word for word in ("-r", "-s", "-m", "-R", "-M") if given.has(word)), *given.names]
    if not asked and given.has("-f"):
        asked = ["-R"]
    limits = given.has("-f") or given.has("-l")
    if len(asked) != 1 or (limits and asked[0] not in RANGES):
        raise NothingRunError(f"give one code, symbol, message or range\nusage: {USAGE.line}")
    words = [*_words(given, asked[0])]
    known = [_print_word(word, _LOOKUPS.get(asked[0], _any), given) for word in words]
    if asked[0] in RANGES:
        _print_range(given, asked[0])
    unknown = [word for word, is_known in zip(words, known, strict=True) if not is_known]
    if unknown:
        raise CommandFailedError(
            f"{', '.join(unknown)} {'is' if len(unknown) == 1 else 'are'} not a known reason code or message"
        )


def _words(given: Given, asked: str) -> Iterator[str]:
    """The words to look up."""
    if asked == "-":
        for line in sys.stdin:
            yield from line.split()
    elif asked not in RANGES:
        yield given.options.get(asked, "") or asked


def _codes(word: str, every: bool) -> list[str]:
    found = codes_of(word)
    return [_line(each.number, each.name) for each in (found if every else found[:1])]


def _symbols(word: str, every: bool) -> list[str]:
    return [] if number_of(word) is not None else _codes(word, every)


def _numbers(word: str, every: bool) -> list[str]:
    return _codes(word, every) if number_of(word) is not None else []


def _messages(word: str, every: bool) -> list[Explanation]:
    """A message with the given severity; with -a, with any severity if that one does not exist."""
    found = [*explain_message(word)] or [*explain_notice(word)] or _errors(word)
    return found or (_messages(word[:-1], every=False) if every else [])


def _errors(word: str) -> list[Explanation]:
    """The messages for invalid scripts and rules tables."""
    return [*explain_rule(word)] if word.upper().startswith("AMQ") else []


def _message_by_number(word: str, every: bool) -> list[Explanation]:
    return _messages(f"AMQ{word}" if word.isdigit() else word, every)


def _any(word: str, every: bool) -> list[str] | list[Explanation]:
    return _codes(word, every) or _messages(word, every)


_LOOKUPS: Mapping[str, Callable[[str, bool], list[str] | list[Explanation]]] = {
    "-m": _message_by_number,
    "-r": _numbers,
    "-s": _symbols,
}


def _print_word(word: str, look_up: Callable[[str, bool], list[str] | list[Explanation]], given: Given) -> bool:
    """Print the meaning of a word between blank lines; False when it is unknown."""
    found = look_up(word, given.has("-a"))
    if found:
        click.echo("")
        for each in found:
            click.echo(each if isinstance(each, str) else _text(each, brief=given.has("-b")))
        click.echo("")
    return bool(found)


def _print_range(given: Given, asked: str) -> None:
    first = number_in(USAGE, given, "-f") if given.has("-f") else None
    last = number_in(USAGE, given, "-l") if given.has("-l") else None
    if first is None and (last is not None or asked == "-M"):
        raise NothingRunError(f"a range needs -f First\nusage: {USAGE.line}")
    if first is None:
        begin, end = 0, sys.maxsize
    else:
        begin, end = first, first if last is None else last
    found = _message_range(begin, end, given) if asked == "-M" else _code_range(begin, end)
    if not found:
        raise CommandFailedError(f"there is no code or message from {begin} to {end}")
    click.echo("\n".join(["", *found, ""]))


def _code_range(first: int, last: int) -> list[str]:
    return [_line(each.number, each.name) for each in all_codes() if first <= each.number <= last]


def _message_range(first: int, last: int, given: Given) -> list[str]:
    ids = [each for each in all_message_ids() if each.startswith("AMQ") and first <= int(each[3:7]) <= last]
    return [_text(found, brief=given.has("-b")) for each in ids for found in explain_message(each)]


def _line(number: int, name: str) -> str:
    return f"{number:>10}  0x{number:08x}  {name}"


def _text(message: Explanation, *, brief: bool) -> str:
    return message.heading if brief else "\n".join(message.lines(min(columns(), WIDTH)))


main = partial(run_program, "mqrc")
