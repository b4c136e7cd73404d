"""`mqsc auth refused`: what was refused, why, and what would permit it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import USER, ObjectName
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, earlier_word, format_option
from mqsc.console.parameters import Ago, PastMoment, iso
from mqsc.console.removed import inform_about_removed
from mqsc.console.target import FAILED, CommandFailedError, opened_queue_manager
from mqsc.console.terminal import print_line, printable
from mqsc.console.text.authority import HANGING, line_of, lines, mqsc_of
from mqsc.history.period import moment
from mqsc.store.admin import authority_explanation, recorded_refusals

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager

_NOT_SHOWN = "what was refused before is not known"


def explain_recorded(
    choices: Choices,
    qmgr: QueueManager,
    user: str | None,
    number: int | None,
) -> int:
    """Explain the last refusal of the user, or the one of that event; the exit code.

    CommandFailedError if there is none.
    """
    recorded = recorded_refusals.refused(qmgr, user=user, number=number)
    if not recorded:
        inform_about_removed(choices, qmgr.store, _NOT_SHOWN, qmgr=qmgr.name)
        what = "nothing was refused" if number is None else f"event {number} is no refusal"
        raise CommandFailedError(what + (f" to {printable(user)}" if user else ""))
    last = recorded[0]
    print_rows(choices.format, [_refusal_row(last)], [_headline(last), *_why(qmgr, last)], HANGING)
    return FAILED


def _headline(refusal: recorded_refusals.RecordedRefusal) -> str:
    row, detail = refusal.event, refusal.detail
    what = f"{detail.get('call', 'MQCONN')} {detail.get('object', '')}".strip()
    times = "" if refusal.times == 1 else f", {refusal.times} times"
    channel = f", channel {detail['channel']}" if "channel" in detail else ""
    would = "WOULD BE REFUSED" if row.cause.startswith("would") else "REFUSED"
    return printable(
        f"{would} 2035 at {iso(row.at)}{times}: {row.application} as {row.user}{channel}: {what}",
    )


def _why(qmgr: QueueManager, refusal: recorded_refusals.RecordedRefusal) -> Iterator[str]:
    recorded, detail = refusal.event, refusal.detail
    if recorded.cause == "password":
        asks = detail.get(
            "record",
            "CHCKLOCL or CHCKCLNT of the AUTHINFO object that CONNAUTH names",
        )
        yield line_of("why", f"the password is missing or wrong; {asks} asks for it")
        yield line_of(
            "cure",
            "give user and password in the program (MQCSP); `mqsc user list` shows the users",
        )
    elif recorded.cause in ("channel", "would-block"):
        yield line_of(
            "rule",
            f"{detail.get('record')} ({detail.get('message')}), address {detail.get('address')}",
        )
        yield line_of(
            "cure",
            f"DISPLAY CHLAUTH({detail.get('channel')}) shows the records; SET CHLAUTH changes them",
        )
    else:
        judged = authority_explanation.judge(qmgr, recorded.user, refusal.missing)
        yield from list(lines(qmgr.name, judged, "do that now"))[1:]
        if judged.allowed:
            yield line_of("now", "all of it is granted")


def _refusal_row(refusal: recorded_refusals.RecordedRefusal) -> dict[str, Any]:
    row = refusal.event
    return {
        "seq": row.seq,
        "at": iso(row.at),
        "cause": row.cause,
        "user": row.user,
        "application": row.application,
        "times": refusal.times,
        **refusal.detail,
    }


@command(common=WITHOUT_FORMAT, reads=True)
@click.option(
    "--since",
    type=PastMoment(),
    help="Only refusals since then, for example 1h or a time.",
)
@click.option(
    "--user",
    "who",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="Only those of this user.",
)
@format_option("mqsc")
@earlier_word("--as", now="--format")
def refused(choices: Choices, since: int | Ago | None, who: str | None) -> None:
    """List what was refused, or would have been in mode warn, with its cure: equal refusals as
    one, the last first. With --format mqsc, only the commands that cure.
    """
    with opened_queue_manager(choices) as qmgr:
        begin = moment(since, qmgr.store, choices) or 0
        inform_about_removed(choices, qmgr.store, _NOT_SHOWN, since=begin, qmgr=qmgr.name)
        refusals = recorded_refusals.refused(qmgr, begin, who)
        if choices.format == "mqsc":
            cures = [
                cure
                for each in refusals
                for cure in authority_explanation.judge(qmgr, each.event.user, each.missing).cures
            ]
            for text in dict.fromkeys(map(mqsc_of, cures)):
                print_line(text)
            return
        print_rows(
            choices.format,
            map(_refusal_row, refusals),
            _refusal_lines(qmgr, refusals),
            HANGING,
        )
    if not refusals:
        choices.inform("mqsc: nothing was refused")


def _refusal_lines(
    qmgr: QueueManager, refusals: Iterable[recorded_refusals.RecordedRefusal]
) -> Iterator[str]:
    for refusal in refusals:
        yield _headline(refusal)
        yield from (
            line
            for line in _why(qmgr, refusal)
            if line.split()[0] in ("cure", "rule", "why", "now")
        )
