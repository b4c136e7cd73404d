"""`mqsc uses`: what names a queue, or another object."""

from collections.abc import Iterator

import click

from mqsc.console.inputs import InputSource, opened_lines
from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import GivenName, ObjectName, remember_name
from mqsc.console.options import Choices, command
from mqsc.console.tables import table_lines
from mqsc.console.target import NothingRunError, opened_queue_manager
from mqsc.console.terminal import columns, printable
from mqsc.dlq.table_reading import parse_table
from mqsc.dlq.table_uses import table_uses
from mqsc.store.admin.object_uses import ObjectUse, uses_of
from mqsc.store.client.queue_manager import QueueManager

_QUEUE = "queue"
TYPES = (
    _QUEUE,
    "process",
    "namelist",
    "channel",
    "topic",
    "authinfo",
    "comminfo",
    "cfstruct",
    "stgclass",
)
HEADINGS = ("TYPE", "NAME", "ATTRIBUTE", "QMGR")


@command(past=True, reads=True)
@click.option(
    "--type",
    "type_",
    type=click.Choice(TYPES),
    default=_QUEUE,
    metavar="TYPE",
    help=f"The type of the object: {', '.join(TYPES[:-1])} or {TYPES[-1]} (default: {_QUEUE}).",
)
@click.option(
    "--rules",
    multiple=True,
    metavar="FILE",
    help="Also look in this rules table of a dead-letter handler; repeatable.",
)
@click.argument("name", type=ObjectName())
def uses(choices: Choices, name: str, type_: str, rules: tuple[str, ...]) -> None:
    """List what uses the queue NAME: the attributes of other objects that name it.

    These are attributes such as BOQNAME, DEADQ, XMITQ, TARGET, INITQ, STREAMQ and DEST, names in
    namelists, and what other queue managers of the store name here as a remote queue. Programs that
    open the queue are not listed: DISPLAY QSTATUS(NAME) TYPE(HANDLE) shows them.
    """
    with opened_queue_manager(choices) as qmgr:
        object_uses = uses_of(qmgr, type_, name)
        if type_ == _QUEUE:
            object_uses += [each for file in rules for each in _uses_in_rules(qmgr, name, file)]
        qmgr_name = qmgr.name
    cells = [(each.type, each.name, each.attribute, each.qmgr) for each in object_uses]
    rows = (each._asdict() for each in object_uses)
    print_rows(choices.format, rows, table_lines(HEADINGS, cells, columns()) if object_uses else ())
    if not object_uses:
        # ObjectName has looked for a queue.
        remember_name(GivenName(name, type_, click.get_current_context(), is_filter=True))
        choices.inform(f"mqsc: {qmgr_name}: nothing names the {type_} {printable(name)}")


def _uses_in_rules(qmgr: QueueManager, name: str, file: str) -> Iterator[ObjectUse]:
    """The uses of the queue in a rules table; NothingRunError if it has errors."""
    source = InputSource(path=file)
    with opened_lines(source) as lines:
        table = parse_table(lines, source.name).table
    if table is None:
        raise NothingRunError(f"{file} has errors; `mqsc dlq check {file}` lists them")
    for use in table_uses(table, name, qmgr.name):
        place = f"{file}, line {use.line}" if use.line else file
        yield ObjectUse(qmgr.name, "RULES", place, use.keyword)
