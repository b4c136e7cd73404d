"""The arguments of IBM's commands as click options: one hyphen, `-ev` for flags together, names
before or after.

An option that has no meaning here is accepted, and a line on stderr says so. One that would mislead
if it were ignored ends the command with the reason and the usage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import click

from mqsc.console.choices import Choices, choices_of
from mqsc.console.object_names import IBM_TEXTS
from mqsc.console.options import long_options
from mqsc.console.plain_failure import PlainFailureError
from mqsc.console.usage_error import usage_error_text
from mqsc.ibm.failures import ExitCodes, WrongArgumentsError, failure_of

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Decorator = Callable[[Decorated], Decorated]
_RUNMQSC = ExitCodes()
# Why options about connecting as a client mean nothing here.
OPENED_DIRECTLY = "a store is opened directly"
_MOST_DIGITS = 20
# In the `meta` of a context: the ignored options with their reasons, the queue manager that the
# arguments name, and whether -z was given.
_IGNORED = "mqsc.ibm.ignored"
_NAMED = "mqsc.ibm.named"
_SILENT = "mqsc.ibm.silent"


class IbmCommand(click.Command):
    """A command with IBM's arguments and exit codes. `options_metavar` is its usage line without
    its name.
    """

    def __init__(self, *arguments: Any, codes: ExitCodes = _RUNMQSC, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.codes = codes

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, with IBM's usage line after an error in IBM's arguments; those with two
        hyphens are ours.
        """
        ctx.meta[IBM_TEXTS] = True
        try:
            return self._parsed(ctx, args)
        except WrongArgumentsError as error:
            raise PlainFailureError(error.message, self.codes.wrong_arguments) from error
        except click.UsageError as error:
            refusal_text = f"{usage_error_text(error)}\nusage: {self.usage}"
            raise PlainFailureError(refusal_text, self.codes.wrong_arguments) from error

    def _parsed(self, ctx: click.Context, args: list[str]) -> list[str]:
        words = [*args]
        try:
            super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name.startswith("--"):
                raise
            raise self.wrong(_unknown(error.option_name, words)) from error
        except click.BadOptionUsage as error:
            option = next(
                (parameter for parameter in self.params if error.option_name in parameter.opts),
                None,
            )
            if not isinstance(option, IbmOption):
                raise
            if isinstance(option, RefusedOption):
                raise self.refused(option) from error
            raise self.wrong(f"{option.opts[0]} needs a value") from error
        except click.MissingParameter as error:
            raise self.wrong("a name is missing") from error
        if ctx.args and not ctx.resilient_parsing:
            raise self.wrong(f"unexpected argument {ctx.args[-1]}")
        return ctx.args

    def invoke(self, ctx: click.Context) -> Any:
        """Name the ignored options on stderr, then carry out the command; its failures are
        IBM's.
        """
        _inform_about_ignored(ctx)
        try:
            return super().invoke(ctx)
        except Exception as error:
            failure = self._failure(ctx, error)
            if failure is None:
                raise
            raise failure from error

    def _failure(self, ctx: click.Context, error: Exception) -> PlainFailureError | None:
        choices = choices_of(ctx)
        named = choices._replace(qmgr=ctx.meta.get(_NAMED) or choices.qmgr)
        failure = failure_of(error, self.codes, named)
        if failure is not None and ctx.meta.get(_SILENT):
            return PlainFailureError("", failure.exit_code)
        return failure

    def wrong(self, why: str) -> WrongArgumentsError:
        """The error when the arguments are wrong, with the usage."""
        return WrongArgumentsError(f"{why}\nusage: {self.usage}")

    def refused(self, option: RefusedOption) -> WrongArgumentsError:
        """The error for an option that would mislead if it were ignored."""
        return self.wrong(f"{self.name} {option.opts[0]} is not supported: {option.why}")

    @property
    def usage(self) -> str:
        """The usage line."""
        return f"{self.name} {self.options_metavar}"

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        return [self.options_metavar or ""]

    def get_help_option_names(self, ctx: click.Context) -> list[str]:
        """Without -h, which crtmqm uses for something else and the others do not have."""
        return ["--help"]


def ibm_command(
    name: str,
    usage: str,
    *,
    common: Sequence[str] = (),
    codes: ExitCodes = _RUNMQSC,
    cls: type[IbmCommand] = IbmCommand,
) -> Callable[[Callable[..., None]], IbmCommand]:
    """Make a function, whose options are in decorators below this one, a command of IBM's.

    `usage` is its usage line without its name, `common` the common options that it takes in their
    -- form.
    """

    def decorate(function: Callable[..., None]) -> IbmCommand:
        settings: Mapping[str, Any] = {
            "codes": codes,
            "context_settings": {"allow_extra_args": True},
        }
        decorated = long_options(*common)(click.pass_context(function))
        return click.command(name, cls=cls, options_metavar=usage, **settings)(decorated)

    return decorate


class IbmOption(click.Option):
    """An option with one hyphen, given once unless it is `repeatable`."""

    def __init__(self, *arguments: Any, repeatable: bool = False, **settings: Any) -> None:
        # Given twice is seen only in an option that click lets be repeated: a flag counts, values
        # are listed.
        settings["count" if settings.pop("is_flag", False) else "multiple"] = True
        super().__init__(*arguments, callback=_value_of, **settings)
        # The usage line and the text of the help name all that have a meaning.
        self.hidden = True
        self.repeatable = repeatable


class IgnoredOption(IbmOption):
    """An option without a meaning here; `why` says why."""

    def __init__(self, *arguments: Any, why: str, **settings: Any) -> None:
        super().__init__(*arguments, expose_value=False, **settings)
        self.why = why


class RefusedOption(IgnoredOption):
    """An option that would mislead if it were ignored."""


class SilentOption(IbmOption):
    """-z, which suppresses error messages."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, expose_value=False, **settings)


def flag(letters: str, name: str) -> Decorator[Any]:
    """An option without a value; the parameter is whether it was given."""
    return click.option(letters, name, cls=IbmOption, is_flag=True)


def text(letters: str, name: str) -> Decorator[Any]:
    """An option with a value; the parameter is None without it."""
    return click.option(letters, name, cls=IbmOption)


def number(letters: str, name: str) -> Decorator[Any]:
    """An option whose value is a decimal number without a sign; the parameter is None without
    it.
    """
    return click.option(letters, name, cls=IbmOption, type=Number())


def texts(letters: str, name: str) -> Decorator[Any]:
    """An option that may be given several times; the parameter is the list of its values."""
    return click.option(letters, name, cls=IbmOption, repeatable=True)


def ignored_flag(*options: str, why: str) -> Decorator[Any]:
    """Options without a value and without a meaning here."""
    return _options_of_kind(IgnoredOption, options, why=why, is_flag=True)


def ignored_value(
    *options: str, why: str, type: click.ParamType[Any] | None = None
) -> Decorator[Any]:
    """Options with a value and without a meaning here; `type` refuses a value that has one."""
    return _options_of_kind(IgnoredOption, options, why=why, type=type)


def refused_flag(*options: str, why: str) -> Decorator[Any]:
    """Options without a value that would mislead if they were ignored."""
    return _options_of_kind(RefusedOption, options, why=why, is_flag=True)


def refused_value(*options: str, why: str) -> Decorator[Any]:
    """Options with a value that would mislead if they were ignored."""
    return _options_of_kind(RefusedOption, options, why=why)


def silent_flag() -> Decorator[Any]:
    """-z: print no error message."""
    return click.option("-z", "silent", cls=SilentOption, is_flag=True)


def _options_of_kind(
    kind: type[IbmOption], options: Iterable[str], **settings: Any
) -> Decorator[Any]:
    def decorate(function: Decorated) -> Decorated:
        for option in options:
            function = click.option(option, f"no_{option[1:]}", cls=kind, **settings)(function)
        return function

    return decorate


def _value_of(context: click.Context, option: click.Parameter, value: Any) -> Any:
    """The value of an option, None without one; whether a flag was given; the values of a
    repeatable option.
    """
    command = context.command
    assert isinstance(option, IbmOption)
    assert isinstance(command, IbmCommand)
    times = value if option.count else len(value)
    if option.repeatable:
        return value
    if times and isinstance(option, RefusedOption):
        raise command.refused(option)
    if times > 1:
        raise command.wrong(f"{option.opts[0]} is given twice")
    if times:
        _remember(context, option)
    if option.count:
        return bool(value)
    return value[0] if value else None


def _remember(context: click.Context, option: IbmOption) -> None:
    """Note a given option that the function of the command does not see."""
    if isinstance(option, IgnoredOption):
        ignored(context, option.opts[0], option.why)
    elif isinstance(option, SilentOption):
        context.meta[_SILENT] = True


def ignored(context: click.Context, option: str, why: str) -> None:
    """Note an option, or one with this value, that has no meaning here."""
    context.meta.setdefault(_IGNORED, []).append((option, why))


def _inform_about_ignored(context: click.Context) -> None:
    """One line on stderr for all ignored options; the usual output stays as scripts expect it."""
    options_by_reason: dict[str, list[str]] = {}
    for option, why in context.meta.get(_IGNORED, ()):
        options_by_reason.setdefault(why, []).append(option)
    if options_by_reason:
        reasons = "; ".join(
            f"{' '.join(options)}: {why}" for why, options in options_by_reason.items()
        )
        choices_of(context).inform(f"{context.command.name}: ignored {reasons}")


def _unknown(name: str, arguments: list[str]) -> str:
    """The message about an argument with an unknown option."""
    words = [argument for argument in arguments if argument.startswith("-") and name[1] in argument]
    if any(word.startswith(name) for word in words):
        return f"unknown option {next(each for each in words if each.startswith(name))}"
    return f"{name} in {words[0]} is not a flag"


class Number(click.ParamType[int]):
    """A decimal number without a sign."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        option_text = str(value)
        found = decimal_number(option_text)
        if found is None:
            assert param is not None
            assert ctx is not None
            raise wrong(ctx, f"{param.opts[0]} takes a number, not {option_text}")
        return found


def decimal_number(word: str) -> int | None:
    """A decimal number without a sign; None for another word, and for a number that nothing here
    can be.
    """
    is_one = word.isascii() and word.isdigit() and len(word) <= _MOST_DIGITS
    return int(word) if is_one else None


def wrong(context: click.Context, why: str) -> WrongArgumentsError:
    """The error when the arguments of the current command are wrong, with its usage."""
    assert isinstance(context.command, IbmCommand)
    return context.command.wrong(why)


def choice(
    context: click.Context,
    option: str,
    value: str,
    known: Mapping[str, str],
    no: Mapping[str, str],
) -> str:
    """The meaning of a keyword value; the error when it is unknown or, for a reason in `no`,
    would mislead.
    """
    if value in no:
        raise wrong(
            context,
            f"{context.command.name} {option} {value} is not supported: {no[value]}",
        )
    if value not in known:
        raise wrong(context, f"{option} takes {', '.join(known)}, not {value}")
    return known[value]


def choices_with(
    context: click.Context,
    qmgr: str | None,
    *,
    only_reads: bool = False,
) -> Choices:
    """The values of the common options, with the queue manager that IBM's arguments name, if
    they do. A command that `only_reads` leaves a store that cannot be written as it is.
    """
    choices = choices_of(context)
    context.meta[_NAMED] = qmgr
    return choices._replace(qmgr=qmgr or choices.qmgr, only_reads=only_reads)
