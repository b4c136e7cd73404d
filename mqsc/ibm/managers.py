"""`crtmqm`, `strmqm`, `endmqm` and `dltmqm`, with IBM's arguments, texts and exit codes."""

import sys
from collections.abc import Mapping

import click

from mqsc.console import target
from mqsc.console.options import Choices, choices_of, confirm
from mqsc.console.plain_failure import PlainFailureError
from mqsc.console.text.reasons import error_text
from mqsc.ibm.failures import NAME_ERROR, Code, ExitCodes, not_available
from mqsc.ibm.options import (
    choices_with,
    flag,
    ibm_command,
    ignored_flag,
    ignored_value,
    number,
    refused_flag,
    refused_value,
    silent_flag,
    text,
    wrong,
)
from mqsc.language.installation import product_version
from mqsc.language.reply import message_line, message_text
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.group_copies import not_refreshed
from mqsc.store.admin.queue_managers import create_queue_manager, delete_queue_manager
from mqsc.store.admin.system_object_reset import redefine
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, AttributeValueError, read_value
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.environment import MICROSECONDS
from mqsc.store.error import MQError
from mqsc.verbs.group_copies import refresh_lines

_CODES = ExitCodes(
    wrong_arguments=Code.WRONG_PARAMETER,
    unknown_queue_manager=Code.DOES_NOT_EXIST,
    not_running=Code.NOT_AVAILABLE,
    not_authorized=Code.NOT_AUTHORIZED,
    not_begun=Code.UNEXPECTED,
    failed=Code.UNEXPECTED,
)

# Seconds between two checks whether the queue manager has ended.
_CHECK_SECONDS = 0.2

_SQLITE_LOG = "the log is SQLite's own"
_CIRCULAR = "the log is SQLite's own and counts as circular, so LOGGEREV(ENABLED) is refused"
_ONE_FILE = "a store is one file, named by --store"
_NO_SERVICE = "queue managers are not started by the operating system"
_NO_REPLICA = "a store is not replicated"
_NO_STANDBY = "a store has no standby instances"
_NO_BACKUP = "there are no backup queue managers; `mqsc restore` brings a copy of a store back"
_PERMISSIONS = "access is controlled by the permissions of the store's file, and by `mqsc user`"

_Values = dict[str, int | str | list[str]]
# The listener that crtmqm -p defines.
_LISTENER = "SYSTEM.LISTENER.TCP.1"
# The options of crtmqm and the attributes of the queue manager that they set.
_ATTRIBUTES = {
    "DESCR": "-c",
    "DEFXMITQ": "-d",
    "DEADQ": "-u",
    "MAXHANDS": "-h",
    "TRIGINT": "-t",
    "MAXUMSGS": "-x",
}


@ibm_command(
    "crtmqm",
    "[-c Text] [-d DefXmitQ] [-h MaxHandles] [-lc] [-p Port] [-q] [-t TrigInterval] [-u DeadQ] "
    "[-x MaxUMsgs] [-z] QMgrName",
    common=("store", "quiet"),
    codes=_CODES,
)
@text("-c", "description")
@text("-d", "transmission_queue")
@number("-h", "handles")
@number("-p", "port")
@number("-t", "trigger_interval")
@text("-u", "dead_letter_queue")
@number("-x", "uncommitted_messages")
@flag("-lc", "circular")
@flag("-q", "default")
@silent_flag()
@ignored_flag("-ll", "-lla", "-lln", why=_CIRCULAR)
@ignored_value("-lf", "-lp", "-ls", "-ld", why=_SQLITE_LOG)
@ignored_value("-md", "-fs", why=_ONE_FILE)
@ignored_value("-oa", why="authorities are granted to users and groups")
@ignored_value(
    "-ic",
    "-iv",
    why="the MQSC is not run; once the queue manager is started, use runmqsc -f FILE QMgrName",
)
@ignored_value("-ii", why="there is no qm.ini")
@ignored_flag("-sa", "-sax", "-si", "-ss", why=_NO_SERVICE)
@refused_value("-a", "-ar", "-g", why=_PERMISSIONS)
@refused_value("-lr", "-rl", "-ri", "-rn", "-rp", "-rr", "-rt", why=_NO_REPLICA)
@refused_flag("-sx", "-sxs", why=_NO_REPLICA)
@click.argument("name")
def crtmqm(
    context: click.Context,
    name: str,
    description: str | None,
    transmission_queue: str | None,
    handles: int | None,
    port: int | None,
    trigger_interval: int | None,
    dead_letter_queue: str | None,
    uncommitted_messages: int | None,
    circular: bool,
    default: bool,
) -> None:
    """Create the queue manager QMgrName with its default objects, without starting it.

    -c sets its description, -d its default transmission queue, -u its dead-letter queue, -h
    MAXHANDS, -t TRIGINT and -x MAXUMSGS; -q makes it the default. -p defines the listener
    SYSTEM.LISTENER.TCP.1 for that port, with CONTROL(QMGR). -lc, circular logging, is always in
    effect. -z prints no error message. Exit code 8 when it exists, 72 when its name is not valid,
    39 when the arguments are wrong.
    """
    listener = None if port is None else _listener(port)
    settings = _settings(
        {
            "DESCR": description,
            "DEFXMITQ": transmission_queue,
            "DEADQ": dead_letter_queue,
            "MAXHANDS": handles,
            "TRIGINT": trigger_interval,
            "MAXUMSGS": uncommitted_messages,
        },
    )
    with target.opened_store(choices_with(context, None), create=True) as store:
        try:
            create_queue_manager(store, name, default=default)
        except MQError as error:
            raise _not_created(error, name) from error
        _set_up(store, name, settings, listener)
    confirm(message_text("AMQ8001I", name))
    _print_object_statistics(name, f"{len(SYSTEM_OBJECTS)} created. 0 replaced. 0 failed.")


def _not_created(error: MQError, name: str) -> Exception:
    if error.reason == MQRCCF.OBJECT_ALREADY_EXISTS:
        return PlainFailureError(message_line("AMQ8110E", name), Code.EXISTS)
    if error.reason == MQRC.Q_MGR_NAME_ERROR:
        return PlainFailureError(
            f"{NAME_ERROR}\n{target.not_created(error, name)}",
            Code.WRONG_NAME,
        )
    return error


def _print_object_statistics(name: str, statistics: str) -> None:
    confirm(f"Creating or replacing default objects for queue manager '{name}'.")
    confirm(f"Default objects statistics : {statistics}")
    confirm("Completing setup.\nSetup completed.")


def _settings(options: Mapping[str, str | int | None]) -> _Values:
    """The queue manager attributes set by options, validated as for ALTER QMGR."""
    return {
        keyword: _value("QMGR", keyword, wanted, _ATTRIBUTES[keyword])
        for keyword, wanted in options.items()
        if wanted is not None
    }


def _listener(port: int) -> _Values:
    """The attributes of the listener for a port; 0 is none."""
    port_number = _value("LISTENER", "PORT", port, "-p")
    if not port_number:
        raise PlainFailureError("-p takes a port from 1 to 65535", Code.WRONG_PARAMETER)
    return {"TRPTYPE": "TCP", "CONTROL": "QMGR", "PORT": port_number}


def _value(kind: str, keyword: str, wanted: str | int, option: str) -> int | str | list[str]:
    """The value of an attribute that an option sets."""
    try:
        return read_value(KINDS[kind].attributes[keyword], [str(wanted)])
    except AttributeValueError as fault:
        raise PlainFailureError(f"{option} takes {fault.detail}", Code.WRONG_PARAMETER) from fault


def _set_up(store: Store, name: str, settings: _Values, listener: _Values | None) -> None:
    """Set attributes and define a listener, for which the queue manager must run. It is ended
    again, and deleted when this fails.
    """
    if not settings and listener is None:
        return
    created = store.queue_manager(name)
    created.start(with_services=False)
    try:
        if settings:
            change_queue_manager(created, settings)
        if listener is not None:
            create(created, KINDS["LISTENER"], _LISTENER, listener)
    except BaseException:
        created.end(immediate=True)
        delete_queue_manager(store, name)
        raise
    created.end(immediate=True)


@ibm_command(
    "strmqm", "[-c] [-ns] [-z] [QMgrName]", common=("store", "qmgr", "quiet"), codes=_CODES
)
@flag("-c", "redefining")
@flag("-ns", "without_services")
@silent_flag()
@ignored_value("-d", why="starting prints no progress messages")
@ignored_flag("-f", why="the log is SQLite's own")
@ignored_flag("-si", "-ss", why=_NO_SERVICE)
@ignored_flag("-x", why=_NO_STANDBY)
@refused_flag("-a", "-r", why=_NO_BACKUP)
@refused_value("-e", why="there is only one command level")
@click.argument("name", required=False)
def strmqm(
    context: click.Context,
    name: str | None,
    redefining: bool,
    without_services: bool,
) -> None:
    """Start the queue manager QMgrName, or the default one.

    -c redefines its SYSTEM objects as on a new queue manager, and ends it again. -ns starts neither
    its command server nor its listeners and services. -z prints no error message. Exit code 5 when
    it is already running, which changes nothing, 16 when it does not exist, 49 while it is ending.
    """
    with target.opened_queue_manager(choices_with(context, name), group=False) as qmgr:
        if not qmgr.start(with_services=not without_services):
            _leave_running(context, qmgr, redefining)
        confirm(f"IBM MQ queue manager '{qmgr.name}' starting.")
        confirm(f"IBM MQ queue manager '{qmgr.name}' started using V{product_version()}.")
        for line in refresh_lines(not_refreshed(qmgr)):
            choices_of(context).inform(line)
        if redefining:
            _redefine(qmgr)


def _leave_running(context: click.Context, qmgr: QueueManager, redefining: bool) -> None:
    """End with the exit code for a queue manager that is running or about to end."""
    if qmgr.row().state == "QUIESCING":
        raise PlainFailureError(f"IBM MQ queue manager '{qmgr.name}' ending.", Code.STOPPING)
    if redefining:
        raise _is_running(qmgr.name)
    confirm(f"IBM MQ queue manager '{qmgr.name}' running.")
    context.exit(Code.RUNNING)


def _is_running(name: str) -> PlainFailureError:
    return PlainFailureError(
        f"IBM MQ queue manager '{name}' running; end it first with endmqm.",
        Code.RUNNING,
    )


def _redefine(qmgr: QueueManager) -> None:
    redefined = redefine(qmgr)
    _print_object_statistics(
        qmgr.name,
        f"{redefined.created} created. {redefined.replaced} replaced. "
        f"{len(redefined.failed)} failed.",
    )
    qmgr.end(immediate=True)
    _print_end(qmgr)
    if redefined.failed:
        raise target.CommandFailedError(
            "not redefined: " + "; ".join(map(error_text, redefined.failed))
        )


def _print_end(qmgr: QueueManager) -> None:
    confirm(f"IBM MQ queue manager '{qmgr.name}' ending.")
    confirm(message_text("AMQ8004I", qmgr.name))


@ibm_command(
    "endmqm",
    "[-c | -i | -p | -w] [-s | -x] [-t Seconds | -tp Seconds] [-z] QMgrName",
    common=("store", "quiet"),
    codes=_CODES,
)
@flag("-c", "controlled")
@flag("-i", "immediate")
@flag("-p", "preemptive")
@flag("-w", "waiting")
@flag("-s", "switching_over")
@flag("-x", "standby_only")
@number("-t", "seconds")
@number("-tp", "seconds_until_preemptive")
@silent_flag()
@ignored_flag("-r", why="there are no clients to reconnect; programs open the store directly")
@click.argument("name")
def endmqm(
    context: click.Context,
    name: str,
    controlled: bool,
    immediate: bool,
    preemptive: bool,
    waiting: bool,
    switching_over: bool,
    standby_only: bool,
    seconds: int | None,
    seconds_until_preemptive: int | None,
) -> None:
    """End the queue manager QMgrName: when the last program disconnects (-c, the default) or
    immediately (-i, -p).

    -w waits until it has ended. -t and -tp wait too, and end it immediately after that many
    seconds. There is no standby instance: -s and -x, which need one, end nothing. -z prints no
    error message. Exit code 40 when it is not running, 16 when it does not exist.
    """
    limits = [limit for limit in (seconds, seconds_until_preemptive) if limit is not None]
    if controlled + immediate + preemptive + waiting > 1 or len(limits) > 1:
        raise wrong(context, "give only one of -c, -i, -p and -w, and only one of -t and -tp")
    choices = choices_with(context, name)
    with target.opened_queue_manager(choices, group=False) as qmgr:
        if qmgr.row().state == "ENDED":
            raise PlainFailureError(not_available(name), Code.NOT_AVAILABLE)
        _refuse_standby(name, switching_over, standby_only)
        state = qmgr.end(immediate=immediate or preemptive)
        if not limits and not waiting and state != "ENDED":
            confirm(
                "Quiesce request accepted. The queue manager will stop when all outstanding work "
                "is complete.",
            )
            return
        if state != "ENDED":
            confirm(f"Waiting for queue manager '{qmgr.name}' to end.")
            _wait_for_end(choices, qmgr, limits)
        _print_end(qmgr)


def _refuse_standby(name: str, switching_over: bool, standby_only: bool) -> None:
    """Ending the only instance is not what -s and -x ask for."""
    if switching_over:
        no_switch = f"IBM MQ queue manager '{name}' cannot switch over: {_NO_STANDBY}"
        raise PlainFailureError(no_switch, Code.CANNOT_SWITCH_OVER)
    if standby_only:
        not_ended = (
            f"The active instance of IBM MQ queue manager '{name}' is not ended: {_NO_STANDBY}"
        )
        raise PlainFailureError(not_ended, Code.ACTIVE_INSTANCE_NOT_ENDED)


def _wait_for_end(choices: Choices, qmgr: QueueManager, limits: list[int]) -> None:
    """Wait until the queue manager has ended; end it immediately after a limit, in seconds of
    its clock.
    """
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


@ibm_command("dltmqm", "[-z] QMgrName", common=("store", "quiet"), codes=_CODES)
@silent_flag()
@click.argument("name")
def dltmqm(context: click.Context, name: str) -> None:
    """Delete the queue manager QMgrName with its objects and messages. It must have been ended.

    -z prints no error message. Exit code 5 when it is running, 49 while it is ending, 16 when it
    does not exist.
    """
    with target.opened_queue_manager(choices_with(context, name), group=False) as qmgr:
        try:
            delete_queue_manager(qmgr.store, qmgr.name)
        except MQError as error:
            if error.reason != MQRC.OBJECT_IN_USE:
                raise
            if qmgr.row().state == "QUIESCING":
                raise PlainFailureError(
                    f"IBM MQ queue manager '{name}' ending.",
                    Code.STOPPING,
                ) from error
            raise _is_running(name) from error
    confirm(message_text("AMQ8002I", name))
