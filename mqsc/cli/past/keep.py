"""`mqsc history keep`: the data of messages that leave queues, kept for a time, within a limit,
with fields masked.
"""

import re
from collections.abc import Iterator
from typing import Any

import click

from mqsc.console.agreement import is_agreed
from mqsc.console.json_rows import print_rows
from mqsc.console.object_names import GenericQueueName
from mqsc.console.options import Choices, command, earlier_word
from mqsc.console.parameters import Span, TextType, iso, iso_or_none, span_text
from mqsc.console.tables import table_lines
from mqsc.console.target import FAILED, CommandFailedError, failing, opened_queue_manager
from mqsc.console.terminal import columns
from mqsc.console.text.reasons import counted
from mqsc.store.admin.expiry import matching_queues
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.past.kept_data import KeptRule, keep, rules_of, stop_keeping
from mqsc.store.rules.health import size
from mqsc.store.rules.masking import checked

_UNITS = {"": 1, "B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
_SIZE = re.compile(r"(\d+)\s*([KMGT]?B?)", re.IGNORECASE)
HEADINGS = ("QMGR", "QUEUES", "FOR", "LIMIT", "MASKS", "MESSAGES", "BYTES", "SINCE")


class Size(TextType):
    """A number of bytes such as 500MB or 1GB."""

    name = "size"

    def read(self, text: str) -> int:
        match = _SIZE.fullmatch(text)
        unit = match[2].upper() if match else "?"
        if match is None or not int(match[1]) or unit not in _UNITS:
            raise ValueError(f"{text!r} is no size; examples: 500MB, 1GB, 64KB")
        return int(match[1]) * _UNITS[unit]


@command("keep")
@click.argument("queue", type=GenericQueueName(), required=False, metavar="[QUEUE|GENERIC]")
@click.option(
    "--for",
    "span",
    type=Span(),
    default="7d",
    help="For how long, such as 7d or 12h (default: 7d).",
)
@click.option(
    "--max-size",
    type=Size(),
    default="1GB",
    help="No more than this, such as 500MB (default: 1GB).",
)
@earlier_word("--limit", now="--max-size")
@click.option(
    "--mask",
    "masks",
    multiple=True,
    metavar="PATH|OFFSETS",
    help="What to mask; repeatable.",
)
@click.option("--off", is_flag=True, help="Keep no more, and forget what was kept.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation of --off.")
@click.option(
    "--list",
    "listed",
    is_flag=True,
    help="List what is kept; so does the command without QUEUE.",
)
def keep_(
    choices: Choices,
    queue: str | None,
    span: int,
    max_size: int,
    masks: tuple[str, ...],
    off: bool,
    yes: bool,
    listed: bool,
) -> int:
    """Keep the data of messages that leave QUEUE, or queues such as 'APP.*': got, expired, cleared,
    moved.

    Without this, the history has no data of messages that are gone. `mqsc browse --as-of`, `mqsc
    trace` and `mqsc history --data` show it. The oldest is removed first. --mask '$.card.number'
    masks a field of JSON, --mask '//card/@number' of XML, --mask 10-20 bytes, before the data is
    stored; data that is neither is masked as a whole if there are paths. Exports, backups, archives
    and reports have it only with --kept-data.
    """
    if not queue or listed:
        if off or masks or (queue and not listed):
            raise click.UsageError("name the QUEUE, or queues such as 'APP.*'")
        _list(choices, queue)
        return 0
    with opened_queue_manager(choices) as qmgr:
        if off:
            if not _may_be_forgotten(qmgr, queue, yes=yes):
                return FAILED
            forgotten = stop_keeping(qmgr, queue)
            if forgotten is None:
                raise CommandFailedError(
                    f"nothing is kept of {queue}; `mqsc history keep --list` lists what is",
                )
            choices.inform(
                f"mqsc: nothing of {queue} is kept any more; {counted(forgotten, 'message')} "
                "forgotten",
            )
            return 0
        with failing(ValueError, click.UsageError, "--mask: "):
            masked = checked(masks)
        forgotten = keep(qmgr, queue, span, max_size, masked)
        none_yet = "" if any(matching_queues(qmgr, queue)) else "; there is no such local queue yet"
        how = f"for {span_text(span)}, at most {size(max_size)}{', masked' if masked else ''}"
        choices.inform(f"mqsc: data of messages that leave {queue} is kept {how}{none_yet}")
        if forgotten:
            choices.inform(
                f"mqsc: {counted(forgotten, 'message')} forgotten that had been kept with other "
                "masks",
            )
    return 0


def _may_be_forgotten(qmgr: QueueManager, name: str, *, yes: bool) -> bool:
    rules = (
        each
        for each in rules_of(qmgr.store)
        if (each.rule.qmgr, each.rule.name) == (qmgr.name, name)
    )
    kept = sum(each.sum.messages for each in rules)
    return not kept or is_agreed(f"Forget the data of {counted(kept, 'message')}?", yes=yes)


def _list(choices: Choices, queue: str | None) -> None:
    with opened_queue_manager(choices) as qmgr:
        own = choices.qmgr_name()
        rules = [each for each in rules_of(qmgr.store) if own in (None, each.rule.qmgr)]
    rules = [each for each in rules if queue in (None, each.rule.name)]
    if not rules:
        choices.inform("mqsc: no data of messages that have left their queues is kept")
    lines = table_lines(HEADINGS, [[*_cells(each)] for each in rules], columns()) if rules else ()
    print_rows(choices.format, map(_as_row, rules), lines)


def _as_row(kept_rule: KeptRule) -> dict[str, Any]:
    rule, oldest = kept_rule.rule, kept_rule.sum.oldest
    return {
        "qmgr": rule.qmgr,
        "queues": rule.name,
        "seconds": rule.span / 1_000_000,
        "limit": rule.most,
        "masks": rule.masks.split("\n") if rule.masks else [],
        "messages": kept_rule.sum.messages,
        "bytes": kept_rule.sum.bytes,
        "since": iso_or_none(oldest),
    }


def _cells(kept_rule: KeptRule) -> Iterator[str]:
    rule, kept = kept_rule
    yield from (
        rule.qmgr,
        rule.name,
        span_text(rule.span),
        size(rule.most),
        rule.masks.replace("\n", " ") or "-",
    )
    yield from (
        f"{kept.messages:,}",
        f"{kept.bytes:,}",
        "-" if kept.oldest is None else iso(kept.oldest)[:19],
    )
