"""The arguments of IBM's commands: options with one hyphen, with or without a value, and names, read by a table.

An option that has no meaning here ends the command with exit code 20 and the reason; it is never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click
from msgspec import Struct

from mqsc.console.target import NothingRunError


class IbmCommand(click.Command):
    """A command with IBM's arguments, which it finds unread in the context's `args`; click reads only -- options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ours, ibms = _separated(args, self._options_with_value(ctx))
        super().parse_args(ctx, ours)
        ctx.args = ibms
        return ibms

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Without -h, which crtmqm uses for something else and the others do not have."""
        return ["--help"]

    def _options_with_value(self, context: click.Context) -> frozenset[str]:
        options = (each for each in self.get_params(context) if isinstance(each, click.Option) and not each.is_flag)
        return frozenset(name for option in options for name in option.opts)


def _separated(arguments: Sequence[str], with_value: frozenset[str]) -> tuple[list[str], list[str]]:
    """The options with two hyphens and their values, and all other arguments."""
    rest, ours, ibms = list(arguments), list[str](), list[str]()
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            ibms.append(word)
            continue
        ours.append(word)
        if word in with_value and rest:
            ours.append(rest.pop(0))
    return ours, ibms


class IbmOption(Struct, frozen=True):
    """An option of a command. `unsupported` is the reason why it has no meaning here.

    The values of a `repeatable` option are joined with commas.
    """

    takes_value: bool = False
    unsupported: str = ""
    repeatable: bool = False


FLAG, VALUE, VALUES = IbmOption(), IbmOption(takes_value=True), IbmOption(takes_value=True, repeatable=True)


def unsupported(reason: str, *, value: bool = False) -> IbmOption:
    """An option of IBM's command that has no meaning here."""
    return IbmOption(value, reason)


class Usage(Struct, frozen=True):
    """How a command is called: its name, its usage line, its options, and how many names it takes."""

    command: str
    line: str
    options: Mapping[str, IbmOption]
    min_names: int
    max_names: int


class Given(Struct, frozen=True):
    """The arguments given: options with their values (blank for a flag), and names."""

    options: Mapping[str, str]
    names: tuple[str, ...]

    def has(self, option: str) -> bool:
        return option in self.options

    def name(self, number: int, default: str = "") -> str:
        """The name at that position, or the default."""
        return self.names[number] if number < len(self.names) else default


def read_arguments(usage: Usage, arguments: Sequence[str]) -> Given:
    """The options and names given; NothingRunError, with the usage line, when they are wrong."""
    rest, options, names = list(arguments), dict[str, str](), list[str]()
    while rest:
        word = rest.pop(0)
        if word == "-" or not word.startswith("-"):
            names.append(word)
            continue
        for name, attached in _options_in(usage, word):
            option = usage.options[name]
            if option.unsupported:
                raise NothingRunError(f"{usage.command} {name} is not supported: {option.unsupported}")
            if name in options and not option.repeatable:
                raise _wrong(usage, f"{name} is given twice")
            if option.takes_value and not attached and not rest:
                raise _wrong(usage, f"{name} needs a value")
            value = attached or (rest.pop(0) if option.takes_value else "")
            options[name] = f"{options[name]},{value}" if name in options else value
    if len(names) < usage.min_names:
        raise _wrong(usage, "a name is missing")
    if len(names) > usage.max_names:
        raise _wrong(usage, f"unexpected argument {names[-1]}")
    return Given(options, tuple(names))


def number_in(usage: Usage, given: Given, option: str) -> int:
    """The value of an option that takes a number; NothingRunError when it is not one."""
    text = given.options[option]
    if not (text.isascii() and text.isdigit()):
        raise _wrong(usage, f"{option} takes a number, not {text}")
    return int(text)


def choice(usage: Usage, option: str, value: str, known: Mapping[str, str], not_supported: Mapping[str, str]) -> str:
    """The meaning of a keyword value; NothingRunError when it is unknown or has no meaning here."""
    if value in not_supported:
        raise NothingRunError(f"{usage.command} {option} {value} is not supported: {not_supported[value]}")
    if value not in known:
        raise _wrong(usage, f"{option} takes {', '.join(known)}, not {value}")
    return known[value]


def _options_in(usage: Usage, word: str) -> list[tuple[str, str]]:
    """The options in one argument, each with its attached value: -e, -ev, -fFILE."""
    if word in usage.options:
        return [(word, "")]
    first = word[:2]
    if first not in usage.options:
        raise _wrong(usage, f"unknown option {word}")
    if usage.options[first].takes_value:
        return [(first, word[2:])]
    flags = [f"-{letter}" for letter in word[1:]]
    unknown = next((each for each in flags if each not in usage.options or usage.options[each].takes_value), None)
    if unknown is not None:
        raise _wrong(usage, f"{unknown} in {word} is not a flag")
    return [(each, "") for each in flags]


def _wrong(usage: Usage, why: str) -> NothingRunError:
    return NothingRunError(f"{why}\nusage: {usage.line}")
