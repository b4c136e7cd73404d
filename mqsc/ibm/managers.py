"""`crtmqm`, `strmqm`, `endmqm`, `dltmqm` and `dspmq`, with IBM's arguments."""

import sys
from collections.abc import Iterator, Mapping, Sequence

import click

from mqsc.console import target
from mqsc.console.options import Choices, choices_of, confirm
from mqsc.console.terminal import print_line
from mqsc.console.text.reasons import error_text
from mqsc.ibm.options import choice, choices_with, described, wrong
from mqsc.language.reply import message_text
from mqsc.verbs.options import refresh_lines
from store.admin.altering import change_queue_manager
from store.admin.queue_managers import create_queue_manager, delete_queue_manager, how_it_ended, redefine
from store.admin.sharing_groups import not_refreshed
from store.catalog import KINDS, SYSTEM_OBJECTS, AttributeValueError, read_value
from store.client.api import QueueManager, Store
from store.constants import MQRC
from store.environment import MICROSECONDS
from store.error import MQError
from store.sql.rows import ManagerRow

_STATES: Mapping[str, str] = {"RUNNING": "Running", "QUIESCING": "Quiescing"}
# MQ shows "Ended immediately" for a queue manager that has never run.
_ENDINGS = {"controlled": "Ended normally", **dict.fromkeys(("immediate", ""), "Ended immediately")}
_NAME_WIDTH = 58
# Seconds between two checks whether the queue manager has ended.
_CHECK_SECONDS = 0.2

_REPLICA = "a store is not replicated"
# The values of dspmq -o, and those that have no meaning here.
_SHOWN = {"all": "all", "default": "default", "d": "default", "standby": "standby", "status": "status", "s": "status"}
_NOT_SHOWN = {"installation": "there are no installations", **dict.fromkeys(("dr", "ha", "nativeha"), _REPLICA)}


@described("crtmqm")
def crtmqm(context: click.Context, /, name: str, default: bool, circular: bool, **given: str | int | None) -> None:
    """Create the queue manager QMgrName with its default objects, without starting it.

    -c sets its description, -d its default transmission queue, -u its dead-letter queue, -h MAXHANDS, -t TRIGINT and -x
    MAXUMSGS; -q makes it the default. -lc, circular logging, is always in effect.
    """
    settings = _settings(context, given)
    with target.opened_store(choices_of(context), create=True) as store:
        try:
            create_queue_manager(store, name, default=default)
        except MQError as error:
            raise target.not_created(error, name) from error
        _set_up(store, name, settings)
    confirm(message_text("AMQ8001I", name))
    _print_object_statistics(name, f"{len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.")


def _print_object_statistics(name: str, statistics: str) -> None:
    confirm(f"Creating or replacing default objects for queue manager '{name}'.")
    confirm(f"Default objects statistics : {statistics}")
    confirm("Completing setup.\nSetup completed.")


def _settings(context: click.Context, given: Mapping[str, str | int | None]) -> dict[str, int | str | list[str]]:
    """The queue manager attributes set by options, validated as for ALTER QMGR."""
    options = {each.name: each.opts[0] for each in context.command.params}
    found: dict[str, int | str | list[str]] = {}
    for keyword, wanted in given.items():
        if wanted is not None:
            try:
                found[keyword] = read_value(KINDS["QMGR"].attributes[keyword], [str(wanted)])
            except AttributeValueError as fault:
                raise target.NothingRunError(f"{options[keyword]} takes {fault.detail}") from fault
    return found


def _set_up(store: Store, name: str, settings: dict[str, int | str | list[str]]) -> None:
    """Set attributes, for which the queue manager must run. It is ended again, and deleted when this fails."""

    if not settings:
        return
    created = store.queue_manager(name)
    created.start()
    try:
        change_queue_manager(created, settings)
    except BaseException:
        created.end(immediate=True)
        delete_queue_manager(store, name)
        raise
    created.end(immediate=True)


@described("strmqm")
def strmqm(context: click.Context, name: str | None, redefining: bool) -> None:
    """Start the queue manager QMgrName, or the default one. If it is already running, nothing changes.

    -c redefines its SYSTEM objects as on a new queue manager, and ends it again.
    """
    with target.opened_queue_manager(choices_with(context, name), group=False) as qmgr:
        if not qmgr.start():
            if redefining:
                raise target.CommandFailedError(
                    f"IBM MQ queue manager '{qmgr.name}' is running; end it first with endmqm"
                )
            confirm(f"IBM MQ queue manager '{qmgr.name}' running.")
            return
        confirm(f"IBM MQ queue manager '{qmgr.name}' starting.")
        confirm(message_text("AMQ8003I", qmgr.name))
        for line in refresh_lines(not_refreshed(qmgr)):
            choices_of(context).inform(line)
        if redefining:
            _redefine(qmgr)


def _redefine(qmgr: QueueManager) -> None:

    made = redefine(qmgr)
    _print_object_statistics(qmgr.name, f"{made.created} created. {made.replaced} replaced. {len(made.failed)} failed.")
    qmgr.end(immediate=True)
    _print_end(qmgr)
    if made.failed:
        raise target.CommandFailedError("not redefined: " + "; ".join(map(error_text, made.failed)))


def _print_end(qmgr: QueueManager) -> None:
    confirm(f"IBM MQ queue manager '{qmgr.name}' ending.")
    confirm(message_text("AMQ8004I", qmgr.name))


@described("endmqm")
def endmqm(context: click.Context, /, name: str, t: int | None, tp: int | None, **how: bool) -> None:
    """End the queue manager QMgrName: when the last program disconnects (-c, the default) or immediately (-i, -p).

    -w waits until it has ended. -t and -tp wait too, and end it immediately after that many seconds.
    """
    limits = [limit for limit in (t, tp) if limit is not None]
    if sum(how.values()) > 1 or len(limits) > 1:
        raise wrong(context, "give only one of -c, -i, -p and -w, and only one of -t and -tp")
    choices = choices_with(context, name)
    with target.opened_queue_manager(choices, group=False) as qmgr:
        state = qmgr.end(immediate=how["i"] or how["p"])
        if not limits and not how["w"] and state != "ENDED":
            confirm("Quiesce request accepted. The queue manager will stop when all outstanding work is complete.")
            return
        if state != "ENDED":
            confirm(f"Waiting for queue manager '{qmgr.name}' to end.")
            _wait_for_end(choices, qmgr, limits)
        _print_end(qmgr)


def _wait_for_end(choices: Choices, qmgr: QueueManager, limits: list[int]) -> None:
    """Wait until the queue manager has ended; end it immediately after a limit, in seconds of its clock."""

    sys.stdout.flush()
    if limits:
        target.inform_about_manual_clock(choices, qmgr)
    since = qmgr.waiting_time()
    while qmgr.row().state != "ENDED":
        if any(qmgr.waiting_time() - since >= limit * MICROSECONDS for limit in limits):
            _end_now(qmgr)
            return
        qmgr.store.recover()
        qmgr.store.environment.clock.pause(_CHECK_SECONDS)


def _end_now(qmgr: QueueManager) -> None:

    try:
        qmgr.end(immediate=True)
    except MQError as error:
        # The last program may have disconnected in the meantime.
        if error.reason != MQRC.Q_MGR_NOT_AVAILABLE:
            raise


@described("dltmqm")
def dltmqm(context: click.Context, name: str) -> None:
    """Delete the queue manager QMgrName with its objects and messages. It must have been ended."""
    with target.opened_queue_manager(choices_with(context, name), group=False) as qmgr:
        running = f"IBM MQ queue manager '{qmgr.name}' is running; end it first with endmqm"
        with target.explained(MQRC.OBJECT_IN_USE, running):
            delete_queue_manager(qmgr.store, qmgr.name)
    confirm(message_text("AMQ8002I", name))


@described("dspmq")
def dspmq(
    context: click.Context,
    qmgr_name: str | None,
    shown: Sequence[str],
    only_running: bool,
    untranslated: bool,
    status: bool,
) -> None:
    """Show the queue managers of the store and their status; with -a, only those that are running.

    -o default shows which one is the default, -o standby the standby status, -o all everything. -n is accepted and
    changes nothing: output is never translated.
    """
    words = ",".join(shown or ["status"]).split(",") + (["status"] if status else [])
    facts = {choice(context, "-o", word, _SHOWN, _NOT_SHOWN) for word in words}
    choices = choices_of(context)
    wanted = choices.qmgr if qmgr_name is None else qmgr_name
    with target.opened_store(choices) as store:
        rows = [row for row in store.queue_managers() if wanted in (None, row.name)]
        states = {row.name: _STATES.get(row.state) or _ENDINGS[how_it_ended(store, row.name)] for row in rows}
    if wanted is not None and not rows:
        raise target.unknown_queue_manager(wanted)
    for row in rows:
        if row.state != "ENDED" or not only_running:
            texts = [text for fact, text in _facts(row, states[row.name]) if fact in facts or "all" in facts]
            print_line(f"{f'QMNAME({row.name})':<{_NAME_WIDTH}}{' '.join(texts)}")


def _facts(row: ManagerRow, state: str) -> Iterator[tuple[str, str]]:
    """The facts that -o can show, in their order, each with its keyword."""
    yield "status", f"STATUS({state})"
    yield "default", f"DEFAULT({'yes' if row.is_default else 'no'})"
    yield "standby", f"STANDBY({'Not applicable' if row.state == 'ENDED' else 'Not permitted'})"
