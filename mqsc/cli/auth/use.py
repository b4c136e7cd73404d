"""`mqsc auth matrix`, `learn`, `unused` and `check`: what users may do and need, and records that look wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.options import Choices, command
from mqsc.console.parameters import Ago
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import print_json, print_line, printable
from mqsc.console.text.authority import mqsc_of
from mqsc.language.command_table import meant
from store.admin import authority, authority_use
from store.rules.authorization import GROUP, PRINCIPAL, SELF

if TYPE_CHECKING:
    from store.client.api import QueueManager

_FOUND = 10


def since_of(qmgr: QueueManager, since: int | Ago | None) -> int:
    """The time, in microseconds UTC, that an option --since means; 0 for none."""
    return since.before(qmgr.now()) if isinstance(since, Ago) else since or 0


@command()
def learn(choices: Choices, since: int | Ago | None, who: str | None) -> None:
    """Print the commands that grant exactly what was used while the queue manager was in mode warn."""
    with opened_queue_manager(choices) as qmgr:
        found = authority_use.learnt(qmgr, since_of(qmgr, since), who)
    for each in found:
        print_line(mqsc_of(each))
    if not found:
        choices.inform("mqsc: nothing was recorded; use `mqsc auth mode warn` and run the programs")


# Letters of the cells of the matrix.
LETTERS = {
    "CONNECT": "c", "GET": "g", "PUT": "p", "BROWSE": "b", "INQ": "i", "SET": "s", "DSP": "d", "PUB": "P", "SUB": "S",
    **dict.fromkeys(("PASSID", "PASSALL", "SETID", "SETALL", "ALTUSR"), "x"),
    **dict.fromkeys(("CHG", "CLR", "DLT", "CTRL", "CTRLX", "CRT"), "A"),
}  # fmt: skip
_LEGEND = "c connect, g get, p put, b browse, i inquire, s set, d display, x context, A administration, - nothing"


@command()
def matrix(choices: Choices, pattern: str, type_: str, users: Sequence[str], by: str, **given: str | None) -> None:
    """Show what every user, or group, may do with the queue manager and each object; system objects only if named."""
    column, who, reach = PRINCIPAL if by == "user" else GROUP, given["who"], given["reach"]
    with opened_queue_manager(choices) as qmgr:
        if reach is not None:
            _print_reached(choices, reach, authority_use.reached(qmgr, reach))
            return
        found = authority_use.matrix(qmgr, pattern, users=users, by=column, type=type_.upper())
        admins = authority.status(qmgr).administrators
    shown = [row for row in found.rows if pattern.startswith("SYSTEM") or not row[0][1].startswith("SYSTEM.")]
    names = [name for _, name in found.columns]
    if who is not None:
        _print_who(names, shown, who.upper())
        return
    every = (
        {"type": type, "name": name, **dict(zip(names, map(sorted, words), strict=True))}
        for (type, name), words in shown
    )
    if print_json(choices.format, every):
        return
    print_line(f"administrators: {', '.join(map(printable, admins))}")
    title = [qmgr.name if name == SELF and type == "QMGR" else name for (type, name), _ in shown]
    widths = [max(len(each), 8) for each in names]
    first = max(map(len, title), default=0)
    heading = "  ".join(printable(name).ljust(width) for name, width in zip(names, widths, strict=True))
    print_line(f"{'':<{first}}  {heading}".rstrip())
    for name, (_, words) in zip(title, shown, strict=True):
        cells = "  ".join(_cell(each).ljust(width) for each, width in zip(words, widths, strict=True))
        print_line(f"{name:<{first}}  {cells}".rstrip())
    print_line(_LEGEND)


def _cell(words: Iterable[str]) -> str:
    found = {*words}
    return "".join(dict.fromkeys(letter for word, letter in LETTERS.items() if word in found)) or "-"


def _print_who(names: Sequence[str], rows: Sequence[Any], word: str) -> None:
    if word not in LETTERS:
        raise click.UsageError(f"{word} is not an authority{meant(word, [*LETTERS])}")
    for (_, name), words in rows:
        holders = [each for each, found in zip(names, words, strict=True) if word in found]
        print_line(f"{name}: {', '.join(map(printable, holders)) or 'nobody'}")


def _print_reached(choices: Choices, user: str, found: Sequence[authority_use.Reached]) -> None:
    if print_json(choices.format, [{**each._asdict(), "words": sorted(each.words)} for each in found]):
        return
    for each in found:
        words = ", ".join(sorted(each.words)).lower()
        at = f" at {each.elsewhere}" if each.elsewhere else ""
        through = "" if each.name == each.queue and not at else f" through {each.name}"
        behind = ", and so every queue of a partner" if each.is_transmission else ""
        print_line(printable(f"{user} can {words}: {each.queue}{at}{through}{behind}"))
    if not found:
        choices.inform(f"mqsc: {printable(user)} reaches no queue")


@command()
@click.option(
    "--days", type=click.IntRange(1), default=authority_use.DAYS, show_default=True, help="How far back to look."
)
def unused(choices: Choices, days: int) -> None:
    """Print the commands that take away authorities on queues that no program used: a hint, not a proof.

    Opens and puts count. What commands needed, such as DSP, is not recorded and never printed.
    """
    with opened_queue_manager(choices) as qmgr:
        found = authority_use.unused(qmgr, days)
    for each in found:
        print_line(mqsc_of(each, "AUTHRMV"))
    choices.inform(f"mqsc: in the last {days} days, these were not used" if found else "mqsc: all of it was used")


@command()
def check(choices: Choices) -> int:
    """Check the authority records, channels and channel authentication records of a queue manager.

    The advice is that of `mqsc check` on an export. It names records without effect, and reply queues of messages on
    queues to which users that may get these messages may not put. Exit code 10 if there is any.
    """
    from mqsc.lint.rules import FOUND, authority, channels
    from mqsc.lint.script_check import ScriptCheck
    from mqsc.scripts.export import ExportSelection, export_commands
    from mqsc.scripts.export_output import script_lines

    with opened_queue_manager(choices) as qmgr, ScriptCheck() as checked:
        checked.read(script_lines(export_commands(qmgr, ExportSelection())))
        more = (
            channels.channel_authentication_off, channels.passwords_not_checked, channels.acts_as_administrator,
            channels.blocks_nobody,
        )  # fmt: skip
        rules = {each.rule_id for each in FOUND if each.check in more or each.check.__module__ == authority.__name__}
        found = [(each.rule_id, each.severity, each.text) for each in checked.diagnostics() if each.rule_id in rules]
        for what, cure in authority_use.unanswerable(qmgr):
            kind, entity = cure.entity
            found.append(("", "note", f"{kind}('{entity}') may not {what}; {mqsc_of(cure)}"))
        for grant, why in authority_use.without_effect(qmgr):
            kind, entity = grant.entity
            text = f"PROFILE({grant.profile}) OBJTYPE({grant.type}) {kind}('{entity}') {why}"
            found.append(("", "note", text))
    if not print_json(choices.format, [dict(zip(("rule", "severity", "text"), each, strict=True)) for each in found]):
        for rule_id, severity, text in found:
            print_line(printable(f"{severity}{' ' * bool(rule_id)}{rule_id}: {text}"))
    if not found:
        choices.inform("mqsc: nothing was found")
    return _FOUND if found else 0
