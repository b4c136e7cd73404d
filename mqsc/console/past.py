"""The option --as-of: a command reads a copy of the store as it was, which is removed when the
command ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.archive_errors import archive_errors
from mqsc.console.choices import Choices
from mqsc.console.parameters import Ago, EventNumber, iso
from mqsc.console.target import failing, opened_queue_manager
from mqsc.store.client.store_url import url_of_file
from mqsc.store.environment import MICROSECONDS
from mqsc.store.sql.kept import archived_columns

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager
    from mqsc.store.past.clocks import Moment

_LISTED = 5

When = EventNumber | int | Ago


def no_past(why: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Refuse --as-of by name, for a command that cannot have it."""

    def refuse(context: click.Context, _: click.Parameter, value: str | None) -> None:
        if value is not None:
            raise click.UsageError(f"--as-of is not possible here: {why}", context)

    return click.option("--as-of", hidden=True, expose_value=False, callback=refuse)


def check_archive(when: When | None, archive: str | None) -> None:
    """UsageError for --archive without --as-of."""
    if archive is not None and when is None:
        raise click.UsageError("--archive is for --as-of, which names the moment")


def moment_of(qmgr: QueueManager, when: When) -> Moment:
    """The moment of an event, of a time or of so long ago; NoSuchMomentError if the history does
    not have it.
    """
    from mqsc.store.past.as_of import moment_at, moment_of_event

    if isinstance(when, EventNumber):
        return moment_of_event(qmgr.store, when.seq)
    return moment_at(qmgr, when.before(qmgr.now()) if isinstance(when, Ago) else when)


@contextmanager
def as_of(
    choices: Choices,
    when: When,
    archive: str | None = None,
    *,
    messages: bool = True,
    with_kept: bool = True,
) -> Iterator[Choices]:
    """The choices with the store as it was then, for the block; `messages` and `with_kept` as for
    `copy_as_of`.

    With the events in the archive at that URL, too. CommandFailedError if the history does not have
    the moment.
    """
    from mqsc.store.past.as_of import NoSuchMomentError, copy_as_of

    choices = choices._replace(only_reads=True)
    if archive is not None:
        with (
            unpruned(choices, archive) as whole,
            as_of(whole, when, messages=messages, with_kept=with_kept) as found,
        ):
            yield found
        return
    with opened_queue_manager(choices) as qmgr, failing(NoSuchMomentError):
        moment = moment_of(qmgr, when)
        with copy_as_of(qmgr.store, moment, messages=messages, with_kept=with_kept) as past:
            now = past.clocks.get(qmgr.name, moment.at)
            shown = iso(now // MICROSECONDS * MICROSECONDS)
            remark = "; messages gone since have data only if it was kept" if messages else ""
            choices.inform(f"mqsc: {qmgr.name} after event {moment.seq}, {shown}{remark}")
            if messages and past.unknown:
                more = ", ..." if len(past.unknown) > _LISTED else ""
                names = ", ".join(past.unknown[:_LISTED])
                choices.inform(
                    f"mqsc: not known are the messages of queues with ACCTQ(OFF): {names}{more}",
                )
            # Who may look at the past was decided now: an administrator, who may not have been
            # there then.
            yield choices._replace(store=url_of_file(past.file), user="", is_past=True)


@contextmanager
def unpruned(choices: Choices, url: str) -> Iterator[Choices]:
    """The choices with a copy of the store that has the events and data in its archive again,
    for the block.
    """
    from mqsc.store.past.as_of import archive_of, copy_with_archive

    left_alone = choices._replace(only_reads=True)
    with archive_errors(), opened_queue_manager(left_alone) as qmgr:
        from mqsc.reports.archive.content import archived_events
        from mqsc.reports.archive.kept import kept_of

        archive = archive_of(qmgr.store)
        if archive is None:
            raise click.UsageError("this store was never archived, so --archive adds nothing")
        events = archived_events(url, archive.store, archive.pruned) if archive.pruned else ()
        data = kept_of(url, archive.store, archived_columns())
        with copy_with_archive(qmgr.store, events, data) as file:
            yield choices._replace(store=url_of_file(file))


@contextmanager
def past_queue_manager(
    choices: Choices,
    when: When,
    *,
    messages: bool = True,
) -> Iterator[QueueManager]:
    """The chosen queue manager as it was then, for the block; `messages` and errors as for
    `as_of`.
    """
    with as_of(choices, when, messages=messages) as past, opened_queue_manager(past) as qmgr:
        yield qmgr
