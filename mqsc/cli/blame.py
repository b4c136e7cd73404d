"""`mqsc blame`: who set the attributes of an object."""

import re
from collections.abc import Mapping
from itertools import chain

import click

from mqsc.console import tables
from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import GivenName, remember_name
from mqsc.console.options import Choices, command
from mqsc.console.parameters import TextType, iso
from mqsc.console.removed import READ_REMOVED, inform_about_removed
from mqsc.console.target import CommandFailedError, opened_queue_manager
from mqsc.console.terminal import columns
from mqsc.imports.log_events import APART
from mqsc.language.command_table import COMMANDS, meant, noun_of
from mqsc.scripts import past_definitions
from mqsc.store.admin.event_search import EventSelection, events
from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.catalog import kinds_of
from mqsc.store.catalog.spelling import corrections, did_you_mean
from mqsc.store.engine.definitions import namespaces
from mqsc.store.past.removed import missed
from mqsc.store.rules.message_trace import TracedEvent
from mqsc.targets.on_target import on_snapshots

_OBJECT = re.compile(r"\s*([A-Za-z]+)\s*(?:\(\s*('?)(.*?)\2\s*\))?\s*")


class ObjectText(TextType):
    """An object as MQSC writes it: QLOCAL(ORDERS), or QMGR; the type in full and the name."""

    name = "object"

    def read(self, text: str) -> tuple[str, str]:
        object_match = _OBJECT.fullmatch(text)
        noun = noun_of("DISPLAY", object_match[1].upper()) if object_match else None
        if object_match is None or noun is None or (noun != "QMGR" and not object_match[3]):
            raise ValueError(f"{text!r} is not an object{_as_written(object_match, noun)}")
        if "*" in (object_match[3] or ""):
            raise ValueError(f"{object_match[3]} may be several objects; name one")
        if not kinds_of(noun) or any(kind.identity for kind in kinds_of(noun)):
            raise ValueError(
                f"{noun} has no attributes of its own to blame; `mqsc history --kind SET` shows "
                "records",
            )
        return noun, (object_match[3] or "") if object_match[2] else (object_match[3] or "").upper()


def _as_written(object_match: re.Match[str] | None, noun: str | None) -> str:
    """The end of a sentence: how an object is written. A type that is misspelt is corrected; a word
    without a name after it is more often a name without its type.
    """
    if object_match is not None and noun is None:
        candidates = COMMANDS["DISPLAY"] if object_match[3] else ("QMGR",)
        if near := meant(object_match[1].upper(), candidates):
            return near
    return "; write QLOCAL(ORDERS), CHANNEL(TO.QM2) or QMGR"


@command(past=True, reads=True)
@click.argument("object_", type=ObjectText(), metavar="TYPE(NAME)|QMGR")
@click.argument("attributes", nargs=-1, metavar="[ATTRIBUTE]...")
@click.option("--all", "everything", is_flag=True, help="Also attributes that were never set.")
@on_snapshots
def blame(
    choices: Choices,
    object_: tuple[str, str],
    attributes: tuple[str, ...],
    everything: bool,
) -> None:
    """Show who set each attribute of an object, when, by which command and in which line of a
    script, and the values that it had before, newest first.

    TYPE(NAME) is written as in MQSC, in quotes for your shell: mqsc blame 'QLOCAL(ORDERS)'. Anyone who
    can write the store's file can edit this history; evidence needs an archive kept elsewhere.
    """
    noun, name = object_
    place = namespaces(kinds_of(noun)[0])[0]
    remember_name(GivenName(name, place, click.get_current_context()))
    wanted = {each.upper() for each in attributes}
    with opened_queue_manager(choices) as qmgr:
        kinds = kinds_of(noun)
        name = qmgr.name if noun == "QMGR" else name
        attribute_values = (
            inquire_queue_manager(qmgr)
            if noun == "QMGR"
            else next(inquire(qmgr, kinds, name), None)
        )
        inform_about_removed(choices, qmgr.store, "what they set is not shown")
        is_whole = not missed(qmgr.store)
        types = {kind.keyword for kind in kinds}
        owners = {qmgr.name, qmgr.row().sharing_group}
        if click.get_current_context().params["on"] is not None:
            # What was sent there is recorded apart from the snapshots.
            owners.add(f"{qmgr.name}{APART}")
        blamed = past_definitions.blame(
            event
            for event in events(qmgr.store, EventSelection(kinds=past_definitions.CHANGES))
            if event.queue == name and event.target in types and event.qmgr in owners
        )
    if attribute_values is None:
        raise CommandFailedError(_gone(noun, name, blamed))
    _check_attributes(noun, wanted, attribute_values)
    rows = [
        blame_row
        for blame_row in past_definitions.blame_rows(blamed, attribute_values)
        if (
            blame_row["attribute"] in wanted
            if wanted
            else everything or blame_row["event"] is not None
        )
    ]
    if not rows:
        choices.inform(f"mqsc: {_nothing_set(noun, name, blamed, is_whole=is_whole)}")
    cells = [*chain.from_iterable(map(past_definitions.blame_cells, rows))]
    print_rows(
        choices.format,
        rows,
        tables.table_lines(past_definitions.HEADINGS, cells, columns()) if rows else (),
    )


def _check_attributes(noun: str, wanted: set[str], known: Mapping[str, object]) -> None:
    """CommandFailedError for attributes that the object does not have."""
    unknown = wanted - known.keys()
    if unknown:
        near = did_you_mean(corrections(min(unknown), [*known])[:1])
        raise CommandFailedError(
            f"{noun} has no attribute {', '.join(sorted(unknown))}{near and f'; {near}'}",
        )


def _named(noun: str, name: str) -> str:
    return noun if noun == "QMGR" else f"{noun}({name})"


def _nothing_set(noun: str, name: str, blamed: past_definitions.Blame, *, is_whole: bool) -> str:
    """That no attribute was set, and who defined the object, if the history has it. `is_whole`: no
    event was removed.
    """
    if not is_whole:
        return (
            f"no event that is left set an attribute of {_named(noun, name)}; "
            f"{READ_REMOVED} reads the others, too"
        )
    unset = f"no attribute of {_named(noun, name)} was ever set; see --all"
    if blamed.defined is None:
        return unset
    return f"{unset}; it was defined {_when_and_by(blamed.defined)}"


def _when_and_by(event: TracedEvent) -> str:
    place = event.detail.get("place") or f"event {event.seq}"
    return f"{iso(event.at)[:19]}Z by {event.user or 'the queue manager'}, {place}"


def _gone(noun: str, name: str, blamed: past_definitions.Blame) -> str:
    if blamed.deleted is None:
        return f"there is no {_named(noun, name)}, and the history has none"
    return f"{_named(noun, name)} was deleted {_when_and_by(blamed.deleted)}"
