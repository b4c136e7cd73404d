"""The arguments of IBM's commands as click options: one hyphen, `-ev` for flags together, names before or after.

An option that has no meaning here ends the command with exit code 20 and the reason; it is never ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, cast

import click

from mqsc.console.options import long_options, several
from mqsc.console.target import NothingRunError
from mqsc.console.terminal import Choices, choices_of
from store.table import cells


class IbmCommand(click.Command):
    """A command with IBM's arguments. `options_metavar` is its usage line without its name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with IBM's usage line after an error in IBM's arguments; those with two hyphens are ours."""
        given = [*args]
        try:
            super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name.startswith("--"):
                raise
            raise self.wrong(_unknown(error.option_name, given)) from error
        except click.BadOptionUsage as error:
            option = next((each for each in self.params if error.option_name in each.opts), None)
            if not isinstance(option, IbmOption):
                raise
            raise self.refused(option) if option.reason else self.wrong(f"{option.opts[0]} needs a value") from error
        except click.MissingParameter as error:
            raise self.wrong("a name is missing") from error
        if ctx.args and not ctx.resilient_parsing:
            raise self.wrong(f"unexpected argument {ctx.args[-1]}")
        return ctx.args

    def wrong(self, why: str) -> NothingRunError:
        """The error when the arguments are wrong, with the usage."""
        return NothingRunError(f"{why}\nusage: {self.usage}")

    def refused(self, option: IbmOption) -> NothingRunError:
        """The error for an option that has no meaning here."""
        return NothingRunError(f"{self.name} {option.opts[0]} is not supported: {option.reason}")

    @property
    def usage(self) -> str:
        """The usage line."""
        return f"{self.name} {self.options_metavar}"

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [self.options_metavar or ""]

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Without -h, which crtmqm uses for something else and the others do not have."""
        return ["--help"]


class IbmOption(click.Option):
    """An option with one hyphen, given once unless it is `repeatable`. `reason` is why it has no meaning here."""

    def __init__(self, *arguments: Any, reason: str = "", repeatable: bool = False, **settings: Any) -> None:
        # Given twice is seen only in an option that click lets be repeated: a flag counts, values are listed.
        settings["count" if settings.pop("is_flag", False) else "multiple"] = True
        super().__init__(*arguments, callback=_given, expose_value=not reason, **settings)
        # The usage line and the text of the help name all that have a meaning.
        self.hidden = True
        self.reason = reason
        self.repeatable = repeatable


def _given(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """The value of an option, None without one; whether a flag was given; the values of a repeatable option."""
    command = context.command
    assert isinstance(option, IbmOption)
    assert isinstance(command, IbmCommand)
    number = value if option.count else len(value)
    if number and option.reason:
        raise command.refused(option)
    if option.repeatable:
        return value
    if number > 1:
        raise command.wrong(f"{option.opts[0]} is given twice")
    return bool(value) if option.count else value[0] if value else None


def _unknown(name: str, given: list[str]) -> str:
    """The message about an argument with an unknown option."""
    words = [each for each in given if each.startswith("-") and name[1] in each]
    if any(each.startswith(name) for each in words):
        return f"unknown option {next(each for each in words if each.startswith(name))}"
    return f"{name} in {words[0]} is not a flag"


class Number(click.ParamType[int]):
    """A decimal number without a sign."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if not (text.isascii() and text.isdigit()):
            assert param is not None
            assert ctx is not None
            raise wrong(ctx, f"{param.opts[0]} takes a number, not {text}")
        return int(text)


# The settings of an option by its kind in arguments.csv; one that has no meaning here has the reason there.
_KINDS: Mapping[str, Mapping[str, Any]] = {
    "flag": {"is_flag": True}, "value": {}, "number": {"type": Number()}, "values": {"repeatable": True},
    "no flag": {"is_flag": True}, "no value": {},
}  # fmt: skip


def described(name: str, cls: type[IbmCommand] = IbmCommand) -> Callable[[Callable[..., Any]], IbmCommand]:
    """Make a function a command of IBM's, with the usage line and the arguments that arguments.csv has for it."""
    return command([row for row in _rows() if row[0] == name], cls)


@cache
def _rows() -> list[list[str]]:
    return cells(__file__, "arguments.csv")


def command(
    rows: Sequence[Sequence[str]], cls: type[IbmCommand] = IbmCommand
) -> Callable[[Callable[..., Any]], IbmCommand]:
    """The same for rows of such a table: first the usage line with the common options that the command takes.

    A name that ends in ? may be left out, and is None then.
    """
    (name, _, usage, common, _), *arguments = rows
    made: list[Any] = [click.command(name, cls=cls, options_metavar=usage, context_settings={"allow_extra_args": True})]
    made.append(long_options(*common.split()))
    for _, kind, options, called, reason in arguments:
        if kind == "names":
            made += [click.argument(each.removesuffix("?"), required=each[-1] != "?") for each in called.split()]
        for each in options.split():
            made.append(click.option(each, called or f"no_{each[1:]}", cls=IbmOption, reason=reason, **_KINDS[kind]))
    return cast("Callable[[Callable[..., Any]], IbmCommand]", several(*made, click.pass_context))


def wrong(context: click.Context, why: str) -> NothingRunError:
    """The error when the arguments of the current command are wrong, with its usage."""
    assert isinstance(context.command, IbmCommand)
    return context.command.wrong(why)


def choice(context: click.Context, option: str, value: str, known: Mapping[str, str], no: Mapping[str, str]) -> str:
    """The meaning of a keyword value; NothingRunError when it is unknown or, for a reason in `no`, has no meaning."""
    if value in no:
        raise NothingRunError(f"{context.command.name} {option} {value} is not supported: {no[value]}")
    if value not in known:
        raise wrong(context, f"{option} takes {', '.join(known)}, not {value}")
    return known[value]


def choices_with(context: click.Context, qmgr: str | None) -> Choices:
    """The values of the common options, with the queue manager that IBM's arguments name, if they do."""
    choices = choices_of(context)
    return choices._replace(qmgr=qmgr or choices.qmgr)
