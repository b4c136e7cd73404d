"""What was sent to queue managers elsewhere, in the history of a store: who, when, what, and what
came of it (targets §5).

The events have the names of imported ones: that of the queue manager, and another if the store has
one of its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from click import ClickException
from msgspec import Struct

from mqsc.console.options import Choices
from mqsc.console.target import opened_store
from mqsc.imports.log_events import Origin, detail_text
from mqsc.language.secrets import HIDDEN
from mqsc.plan import Action, Planned
from mqsc.scripts.run import print_error
from mqsc.store.admin.imported_records import FoundRecord, add_records, own_names
from mqsc.store.catalog import KINDS
from mqsc.store.error import StoreError
from mqsc.store.sql.rows import EventRow
from mqsc.targets.replies import Outcome, Reply, first_sentence
from mqsc.targets.target import Target

SOURCE = "sent"
_KINDS = {Action.CREATE: "DEFINE", Action.UPDATE: "ALTER", Action.DELETE: "DELETE"}


class Sent(Struct, frozen=True):
    """A change that was sent: when (microseconds UTC), by which user and program, the replies, the
    rows of what was done, how many objects are not as planned, and the undo script.
    """

    target: Target
    at: int
    user: str
    application: str
    replies: Sequence[Reply]
    done: Sequence[Planned]
    left: int
    undo: str


def check(url: str | None) -> None:
    """Make the store at that URL, if it is missing; StoreError if it cannot be used."""
    if url is not None:
        with opened_store(Choices(store=url), create=True):
            pass


def record(choices: Choices, url: str | None, sent: Sent) -> None:
    """Record it in the store at that URL; without one in the default store, if that exists.

    A failure is a line on stderr: the change was made.
    """
    journal = Choices(store=url, quiet=choices.quiet)
    if url is None and journal.store_is_missing():
        return
    try:
        with opened_store(journal) as store:
            name = Origin(SOURCE, "", own=own_names(store)).name(sent.target.queue_manager)
            events = [_of_sending(sent, name), *_of_objects(sent, name)]
            # Nothing is recorded twice by mistake: a fingerprint has the time.
            text = repr((SOURCE, name, sent.at, sent.target.name))
            add_records(store, [FoundRecord(sha256(text.encode()).hexdigest()[:32], events)])
    except (StoreError, ClickException) as error:
        print_error(f"the change was not recorded: {error}")


def _of_sending(sent: Sent, name: str) -> EventRow:
    script = [
        f"{reply.command.text}: {reply.outcome.value}: {first_sentence(reply)}"
        for reply in sent.replies
    ]
    detail = {"source": SOURCE, "script": script, "left": sent.left, "undo": sent.undo}
    return _event(sent, name, "SEND", sent.target.name, detail)


def _of_objects(sent: Sent, name: str) -> Iterator[EventRow]:
    """The events as of a queue manager here: DEFINE, ALTER, SET and DELETE of each object."""
    commands = [reply.command for reply in sent.replies if reply.outcome is Outcome.DONE]
    for row in sent.done:
        kind = KINDS.get(row.type)
        if kind is None or row.action not in _KINDS:
            continue
        is_record = bool(kind.identity) and row.action is not Action.DELETE
        words = {word: _pair(word, pair, kind.attributes) for word, pair in row.changes.items()}
        texts = (each.text for each in commands if (row.type, row.name) in each.objects)
        place = f"{row.file}:{row.line}" if row.file and row.line else ""
        record = dict(zip(kind.identity, row.record, strict=False)) if is_record else {}
        detail = {"source": SOURCE, "command": next(texts, ""), "place": place, "record": record}
        event = "SET" if is_record else _KINDS[row.action]
        yield _event(sent, name, event, row.type, {**words, **detail}, row.name or name)


def _pair(word: str, pair: tuple[Any, Any], attributes: Mapping[str, Any]) -> list[Any]:
    """The values before and after, hidden for a secret."""
    if word in attributes and attributes[word].secret:
        return [HIDDEN if value else value for value in pair]
    return [*pair]


def _event(
    sent: Sent,
    name: str,
    kind: str,
    target: str,
    detail: Mapping[str, Any],
    queue: str | None = None,
) -> EventRow:
    return EventRow(
        at=sent.at,
        qmgr=name,
        kind=kind,
        application=sent.application,
        user=sent.user,
        detail=detail_text({key: value for key, value in detail.items() if value not in ("", {})}),
        queue=queue,
        target=target,
    )
