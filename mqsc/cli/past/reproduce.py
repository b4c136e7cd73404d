"""`mqsc reproduce`: what became of a message, as a test with pytest or as a small store."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mqsc.cli.past import case_reduction, case_source, case_steps
from mqsc.cli.past.smallest_case import smallest_case
from mqsc.console.inputs import InputError
from mqsc.console.options import Choices, command
from mqsc.console.parameters import FILE_PATH, MsgIdPrefix
from mqsc.console.replaced_file import write_whole
from mqsc.console.target import CommandFailedError, failing, opened_queue_manager
from mqsc.console.text.reasons import counted
from mqsc.history.message_argument import the_id
from mqsc.store.admin.backup import back_up
from mqsc.store.admin.event_search import EventSelection, events, last_event
from mqsc.store.client.store import Store, open_store
from mqsc.store.client.store_url import url_of_file
from mqsc.store.past import as_of


@command(common=("store", "qmgr", "quiet"), reads=True)
@click.argument("message", metavar="MSGID|SEQ")
@click.option("--out", type=FILE_PATH, help="The file; .db makes a small store.")
@click.option("--mask", is_flag=True, help="Write x in place of all message data.")
def reproduce(choices: Choices, message: str, out: Path | None, mask: bool) -> None:
    """Write a test that repeats what happened to one message.

    MSGID is hexadecimal; the first digits are enough. SEQ is the number of an event about a
    message. The test has the definitions, the calls and the moves of the clock without which
    something else would have become of the message, which is found out by trying. It uses the
    pytest plugin of this package. Without --out it goes to standard output.
    """
    if out is not None and out.exists():
        raise CommandFailedError(f"{out} exists; remove it, or choose another name")
    with opened_queue_manager(choices) as qmgr, failing(as_of.NoSuchMomentError):
        msg_id = _msg_id(qmgr.store, message, choices)
        smallest = smallest_case(qmgr.store, msg_id, mask=mask)
    title = f"What became of the message {msg_id.hex().upper()}; written by `mqsc reproduce`."
    if out is None:
        click.echo(case_source.source(smallest, title), nl=False)
    elif out.suffix == ".db":
        _keep(smallest, out)
    else:
        with failing(InputError):
            write_whole(out, case_source.source(smallest, title).encode())
    if out is not None:
        counts = (
            counted(len(smallest.definitions), "definition"),
            counted(len(smallest.steps), "step"),
        )
        choices.inform(f"mqsc: {out}: {' and '.join(counts)}")


def _keep(smallest: case_steps.Case, out: Path) -> None:
    """Make the small store, which appears when it is complete."""
    with TemporaryDirectory() as folder, open_store(url_of_file(Path(folder) / "case.db")) as small:
        case_reduction.keep(smallest, small, "QM1")
        back_up(small, out.absolute(), kept=True)


def _msg_id(store: Store, digits: str, choices: Choices) -> bytes:
    """The MsgId that begins so, or that of the message of an event."""
    if digits.isdecimal() and 0 < int(digits) <= last_event(store):
        event = next(events(store, EventSelection(), first=int(digits), last=int(digits)), None)
        if event is None:
            raise CommandFailedError(f"event {digits} was archived and removed")
        if event.msg_id is None:
            raise CommandFailedError(f"event {digits} is not about a message")
        return event.msg_id
    return the_id([store], MsgIdPrefix().convert(digits, None, None), choices)
