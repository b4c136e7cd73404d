"""`mqsc reconcile`: whether what came to each queue is what went from it and what is there."""

from __future__ import annotations

from pathlib import Path

import click

from mqsc.cli.past.archive_audit import audit_archive, result_about, verify_certificate
from mqsc.cli.past.audit_text import show_audit
from mqsc.console import target
from mqsc.console.object_names import GenericQueueName
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_OR_FOLDER_PATH, FILE_PATH, FOLDER_PATH, Ago, PastMoment
from mqsc.console.removed import inform_about_removed
from mqsc.history.period import period
from mqsc.store.admin.event_search import EventSelection, is_known
from mqsc.store.admin.read_only_store import managers_of
from mqsc.store.engine.state import StoreState
from mqsc.store.past.audit import Times, audit as audit_of


@command(reads=True)
@click.argument("queue", type=GenericQueueName(), required=False, metavar="[QUEUE|GENERIC]")
@click.option("--since", type=PastMoment(), help="Sums and findings at or after this time only.")
@click.option("--until", type=PastMoment(), help="Sums and findings before this time only.")
@click.option(
    "--archive",
    "url",
    metavar="URL",
    help="Add up the events in this archive, too, with Spark.",
)
@click.option(
    "--out",
    type=FOLDER_PATH,
    metavar="DIR",
    help="With --archive: write a certificate and a page to this folder.",
)
@click.option(
    "--key",
    type=FILE_PATH,
    metavar="FILE",
    help=(
        "With --out: sign with the bytes in FILE; with --verify: whether they were signed with "
        "these."
    ),
)
@click.option(
    "--verify",
    "certificate",
    type=FILE_OR_FOLDER_PATH,
    metavar="FILE|DIR",
    help=(
        "Compare a certificate, or the one in the folder that --out wrote, with --archive, with "
        "the store that --store names, or with both."
    ),
)
def reconcile(
    choices: Choices,
    queue: str | None,
    since: int | Ago | None,
    until: int | Ago | None,
    url: str | None,
    out: Path | None,
    key: Path | None,
    certificate: Path | None,
) -> int:
    """Check that the history accounts for every message: what came to each queue is what went and
    what is there.

    Reads the whole history, and the messages that are there, and prints the sums of each queue.
    What does not fit is listed, with MsgIds and the numbers of events, and the exit code is 10.
    Queues that have or had ACCTQ(OFF), and those with pruned events, cannot be known, and are shown
    as such. Changes nothing. Who changed what is in `mqsc history`, `mqsc blame` and the report
    admin-audit.

    With --archive, the whole archive is verified first. The store is read as well if --store or
    MQSC_STORE names one.
    """
    if key is not None and out is None and certificate is None:
        raise click.UsageError("--key signs what --out writes, or checks what --verify reads")
    if certificate is not None:
        _refuse("--verify", queue=queue, since=since, until=until, out=out)
        return verify_certificate(choices, certificate, url, key)
    if url is not None:
        _refuse("--archive", since=since, until=until)
        return audit_archive(choices, url, (out, key), queue)
    if out is not None:
        raise click.UsageError("--out is for --archive, which names what is certified")
    with target.store_to_look_up(choices) as store:
        qmgr = choices.qmgr_name()
        selection = EventSelection(queue=queue, qmgr=qmgr)
        if (queue or (qmgr and qmgr not in managers_of(store).now)) and not is_known(
            store,
            selection,
        ):
            raise target.CommandFailedError(
                f"the history has nothing of {queue or qmgr}, and there is no such object",
            )
        period(since, until, store, choices)
        inform_about_removed(choices, store, "whether their messages are missing is not known")
        result = result_about(
            audit_of(store, _times(since, store), _times(until, store)), queue, qmgr
        )
    return show_audit(choices, result)


def _times(time: int | Ago | None, store: StoreState) -> Times | None:
    """The time; of a length of time before now, the one by the clock of each queue manager."""
    if not isinstance(time, Ago):
        return time
    return {name: time.before(now) for name, now in managers_of(store).now.items()}


def _refuse(option: str, **others: object) -> None:
    """UsageError for another argument beside an option for which it means nothing."""
    wrong = next((name for name, value in others.items() if value is not None), None)
    if wrong is not None:
        named = "QUEUE" if wrong == "queue" else f"--{wrong}"
        raise click.UsageError(
            f"{named} and {option} exclude each other: {option} is about all events",
        )
