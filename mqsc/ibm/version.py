"""`dspmqver`: the version of this product, in the layout of IBM's command."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import click
from msgspec import Struct

from mqsc.console.choices import Choices
from mqsc.console.target import CommandFailedError, NothingRunError, path_of_file
from mqsc.console.terminal import print_line, printable
from mqsc.ibm.options import choices_with, flag, ibm_command, ignored_flag, number, wrong
from mqsc.language.installation import INSTALLATION, command_level, product_version
from mqsc.version import __version__

_PRODUCT = 1
# The components of IBM MQ by their values of -p; the first is the product itself.
_OTHER_COMPONENTS: Mapping[int, str] = {
    2: "IBM MQ classes for Java",
    4: "IBM MQ classes for JMS",
    8: "WebScale Distribution Hub",
    16: "custom channel for WCF",
    32: "XMS .NET",
    64: "GSKit",
    128: "Advanced Message Security",
    256: "AMQP service",
    512: "telemetry service",
    1024: "bundled components",
    2048: "WebSphere Liberty",
    4096: "Java runtime environment",
    8192: "replicated data queue managers",
}
_NAME_WIDTH = 13


class _Field(Struct, frozen=True):
    """A line of the output: its value of -f, its name, and how its text is found."""

    value: int
    name: str
    text: Callable[[Choices], str]


def _built_with(_: Choices) -> str:
    from mqsc.store.sqlite.driver import sqlite_library

    return f"Python {platform.python_version()}, SQLite {sqlite_library().sqlite_version}"


def _system_details(_: Choices) -> str:
    """The name of the distribution; blank on a system that does not say it."""
    with suppress(OSError):
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    return ""


def _folder_of_store(choices: Choices) -> str:
    """The folder of the store's file; blank for a store in memory."""
    with suppress(NothingRunError):
        return str(Path(path_of_file(choices)).absolute().parent)
    return ""


_FIELDS = (
    _Field(1, "Name", lambda _: "mqsc"),
    _Field(2, "Version", lambda _: product_version()),
    _Field(4, "Level", lambda _: f"mqsc-{__version__}"),
    _Field(8, "BuildType", _built_with),
    _Field(16, "Platform", lambda _: f"mqsc for {platform.system()} ({platform.machine()})"),
    _Field(32, "Mode", lambda _: f"{platform.architecture()[0].removesuffix('bit')}-bit"),
    _Field(64, "O/S", lambda _: f"{platform.system()} {platform.release()}"),
    _Field(64, "O/S Details", _system_details),
    _Field(512, "InstName", lambda _: INSTALLATION),
    _Field(256, "InstDesc", lambda _: "an MQ-style queue manager in SQLite, not IBM MQ"),
    _Field(2048, "Primary", lambda _: "N/A"),
    _Field(128, "InstPath", lambda _: sys.prefix),
    _Field(4096, "DataPath", _folder_of_store),
    _Field(1024, "MaxCmdLevel", lambda _: command_level()),
    _Field(8192, "LicenseType", lambda _: "Apache-2.0"),
    _Field(16_384, "ReleaseType", lambda _: "N/A"),
)
_EVERY_FIELD = sum({field.value for field in _FIELDS})
_EVERY_COMPONENT = _PRODUCT + sum(_OTHER_COMPONENTS)


@ibm_command(
    "dspmqver",
    "[-a] [-b] [-f Fields] [-p Components]",
    common=("store", "quiet"),
)
@flag("-a", "everything")
@flag("-b", "only_values")
@number("-f", "fields")
@number("-p", "components")
@ignored_flag("-i", why="there is only one installation")
@ignored_flag("-v", why="there are no further details")
def dspmqver(
    context: click.Context,
    everything: bool,
    only_values: bool,
    fields: int | None,
    components: int | None,
) -> None:
    """Show the version of IBM MQ whose commands this product follows, and its own.

    Version and MaxCmdLevel are those of IBM MQ, as DISPLAY QMGR shows them, for scripts that
    compare them; Level has the version of mqsc. -f selects fields by the sum of their values: 1
    Name, 2 Version, 4 Level, 8 BuildType, 16 Platform, 32 Mode, 64 O/S, 128 InstPath, 256 InstDesc,
    512 InstName, 1024 MaxCmdLevel, 2048 Primary, 4096 DataPath, 8192 LicenseType, 16384
    ReleaseType. -b leaves out their names. -p selects components in the same way; only 1, the
    product itself, is here. -a selects all fields and components. Exit code 10 when a component of
    IBM MQ was asked for that is not here, 20 when the arguments are wrong.
    """
    if everything and (fields is not None or components is not None):
        raise wrong(context, "-a shows everything: leave out -f and -p")
    shown = _sum(context, "-f", fields, _EVERY_FIELD, _EVERY_FIELD)
    asked = _sum(context, "-p", components, _PRODUCT, _EVERY_COMPONENT)
    choices = choices_with(context, None)
    if asked & _PRODUCT:
        for field in _FIELDS:
            if field.value & shown:
                label = "" if only_values else f"{field.name + ':':<{_NAME_WIDTH}}"
                print_line(f"{label}{printable(field.text(choices))}".rstrip())
    missing = [name for value, name in _OTHER_COMPONENTS.items() if value & asked]
    if missing:
        raise CommandFailedError(f"dspmqver -p: not here: {', '.join(missing)}")


def _sum(context: click.Context, option: str, given: int | None, default: int, most: int) -> int:
    """The values that an option sums up."""
    if given is None:
        return default
    if not 1 <= given <= most:
        raise wrong(context, f"{option} takes a sum of values from 1 to {most}, not {given}")
    return given
