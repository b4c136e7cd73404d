"""`mqrc`: the name of a code, the code of a name, the text of a message, as IBM's command tells them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import NoReturn

import click

from mqsc.console.target import CommandFailedError, NothingRunError
from mqsc.explain.codes import all_codes, all_message_ids, codes_of, explain_message, number_of
from mqsc.explain.dead_letters import explain_notice
from mqsc.explain.explanation import Explanation
from mqsc.explain.rules import explain_rule
from mqsc.ibm.arguments import FLAG, VALUE, Given, Usage, number_in, pointless, read
from mqsc.ibm.command import NamedCommand

WIDTH = 100
# The options that ask for every code or message of a range.
RANGES = ("-R", "-M")
_LOGS = "no error log is written"
USAGE = Usage(
    "mqrc",
    "mqrc [-a] [-b] [-r] ReturnCode | [-s] Symbol | [-m] AMQmessage | -R [-f First -l Last] | -M -f First -l Last | -",
    {
        "-a": FLAG, "-b": FLAG, "-f": VALUE, "-l": VALUE, "-m": VALUE, "-M": FLAG, "-r": VALUE, "-R": FLAG, "-s": VALUE,
        "-d": pointless("there is one language", value=True),
        **dict.fromkeys(("-i", "-o"), pointless(_LOGS, value=True)),
        **dict.fromkeys(("-p", "-u", "-x"), pointless(_LOGS)),
    },
    0,
    1,
)  # fmt: skip


@click.command(cls=NamedCommand, options_metavar=USAGE.line.removeprefix("mqrc "))
@click.pass_context
def mqrc(context: click.Context) -> None:
    """Print number, hexadecimal number and name of a code, or the text of a message with its cause and what to do.

    Numbers are decimal, or hexadecimal after 0x. -a looks in every family of codes, -b leaves out what explains a
    message, -R and -M print every code and message from First to Last, - reads words from standard input. Exit code 10
    when there is nothing of that name, 20 when the arguments make no sense.
    """
    given = read(USAGE, context.args)
    asked = [*(word for word in ("-r", "-s", "-m", "-R", "-M") if given.has(word)), *given.names]
    if not asked and given.has("-f"):
        asked = ["-R"]
    limits = given.has("-f") or given.has("-l")
    if len(asked) != 1 or (limits and asked[0] not in RANGES):
        raise NothingRunError(f"ask for one code, name, message or range\nusage: {USAGE.line}")
    words = [*_words(given, asked[0])]
    known = [_tell(word, _LOOKERS.get(asked[0], _any), given) for word in words]
    if asked[0] in RANGES:
        _tell_range(given, asked[0])
    unknown = [word for word, is_known in zip(words, known, strict=True) if not is_known]
    if unknown:
        raise CommandFailedError(f"no code and no message is {', '.join(unknown)}")


def _words(given: Given, asked: str) -> Iterator[str]:
    """What is asked for, word by word."""
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
    """A message in the severity that is asked for; with -a, in any when there is none of that one."""
    found = [*explain_message(word)] or [*explain_notice(word)] or _errors(word)
    return found or (_messages(word[:-1], every=False) if every else [])


def _errors(word: str) -> list[Explanation]:
    """What makes a script or a rules table invalid has messages too."""
    return [*explain_rule(word)] if word.upper().startswith("AMQ") else []


def _message_by_number(word: str, every: bool) -> list[Explanation]:
    return _messages(f"AMQ{word}" if word.isdigit() else word, every)


def _any(word: str, every: bool) -> list[str] | list[Explanation]:
    return _codes(word, every) or _messages(word, every)


_LOOKERS: Mapping[str, Callable[[str, bool], list[str] | list[Explanation]]] = {
    "-m": _message_by_number,
    "-r": _numbers,
    "-s": _symbols,
}


def _tell(word: str, look: Callable[[str, bool], list[str] | list[Explanation]], given: Given) -> bool:
    """Print what a word stands for, a blank line before and after; whether there is anything."""
    found = look(word, given.has("-a"))
    if found:
        click.echo("")
        for each in found:
            click.echo(each if isinstance(each, str) else _text(each, brief=given.has("-b")))
        click.echo("")
    return bool(found)


def _tell_range(given: Given, asked: str) -> None:
    first = number_in(USAGE, given, "-f") if given.has("-f") else None
    last = number_in(USAGE, given, "-l") if given.has("-l") else None
    if first is None and (last is not None or asked == "-M"):
        raise NothingRunError(f"a range begins with -f First\nusage: {USAGE.line}")
    if first is None:
        begin, end = 0, sys.maxsize
    else:
        begin, end = first, first if last is None else last
    found = _message_range(begin, end, given) if asked == "-M" else _code_range(begin, end)
    if not found:
        raise CommandFailedError(f"there is nothing from {begin} to {end}")
    click.echo("\n".join(["", *found, ""]))


def _code_range(first: int, last: int) -> list[str]:
    return [_line(each.number, each.name) for each in all_codes() if first <= each.number <= last]


def _message_range(first: int, last: int, given: Given) -> list[str]:
    ids = [each for each in all_message_ids() if each.startswith("AMQ") and first <= int(each[3:7]) <= last]
    return [_text(found, brief=given.has("-b")) for each in ids for found in explain_message(each)]


def _line(number: int, name: str) -> str:
    return f"{number:>10}  0x{number:08x}  {name}"


def _text(message: Explanation, *, brief: bool) -> str:
    return message.heading if brief else "\n".join(message.lines(WIDTH))


def main() -> NoReturn:
    """The command `mqrc` with the arguments of this process."""
    from mqsc.cli.main import main as command_line

    command_line(["mqrc", *sys.argv[1:]])
