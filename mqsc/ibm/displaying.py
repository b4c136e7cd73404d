"""`dspmq`: the queue managers of a store, as IBM's command shows those of a machine."""

import sys
from collections.abc import Iterator, Mapping, Sequence

import click
from msgspec import Struct

from mqsc.console import target
from mqsc.console.choices import Choices
from mqsc.console.plain_failure import PlainFailureError
from mqsc.console.terminal import print_line
from mqsc.ibm.failures import NAME_ERROR, Code, ExitCodes
from mqsc.ibm.options import choice, choices_with, flag, ibm_command, ignored_flag, text, texts
from mqsc.language.installation import INSTALLATION, product_version
from mqsc.store.admin.queue_managers import how_it_ended
from mqsc.store.client.store import Store
from mqsc.store.error import MissingStoreError
from mqsc.store.sql.rows import ManagerRow

_CODES = ExitCodes(
    wrong_arguments=Code.WRONG_ARGUMENTS,
    unknown_queue_manager=Code.WRONG_NAME,
    not_authorized=Code.UNEXPECTED,
    not_begun=Code.UNEXPECTED,
    failed=Code.UNEXPECTED,
)

_STATES: Mapping[str, str] = {"RUNNING": "Running", "QUIESCING": "Quiescing"}
# MQ shows "Ended immediately" for a queue manager that has never run.
_ENDINGS = {"controlled": "Ended normally", **dict.fromkeys(("immediate", ""), "Ended immediately")}
_NAME_WIDTH = 58
# What -o shows; IBM's command takes shorter forms too.
_STATUS = "status"
_DEFAULT = "default"
_STANDBY = "standby"
_INSTALLATION = "installation"
_HA = "ha"
_DR = "dr"
_NATIVE_HA = "nativeha"
_ALL = "all"
_IN_ALL = (_STATUS, _DEFAULT, _STANDBY, _INSTALLATION)
_WORDS: Mapping[str, str] = {
    **{each: each for each in (_ALL, *_IN_ALL, _HA, _DR, _NATIVE_HA)},
    "s": _STATUS,
    "d": _DEFAULT,
    "inst": _INSTALLATION,
}


class _Shown(Struct, frozen=True):
    """A queue manager, and what the store and the host say about it."""

    queue_manager: ManagerRow
    state: str
    host: str

    @property
    def has_ended(self) -> bool:
        return self.queue_manager.state == "ENDED"


@ibm_command(
    "dspmq",
    "[-m QMgrName] [-a] [-n] [-s] [-x] [-o all | default | dr | ha | installation | nativeha | "
    "standby | status]...",
    common=("store", "qmgr", "quiet"),
    codes=_CODES,
)
@text("-m", "qmgr_name")
@texts("-o", "wanted")
@flag("-a", "only_active")
@flag("-n", "untranslated")
@flag("-s", "status")
@flag("-x", "with_instances")
@ignored_flag(
    "-c",
    why="a queue manager has no processes; DISPLAY CONN shows the connected programs",
)
@ignored_flag("-f", "-g", why="a store is not replicated")
@ignored_flag("-i", why="there is only one installation")
def dspmq(
    context: click.Context,
    qmgr_name: str | None,
    wanted: Sequence[str],
    only_active: bool,
    untranslated: bool,
    status: bool,
    with_instances: bool,
) -> None:
    """Show the queue managers of the store and their status.

    -a shows only those that are running, with exit code 5. -o default shows which one is the
    default, -o standby the standby status, -o installation where this program is, -o all these and
    the status. -x adds a line with the host after each running queue manager. -n shows values in
    the form for programs, in upper case. Exit code 72 when there is no such queue manager, 36 when
    the arguments are wrong.
    """
    words = ",".join(wanted or [_STATUS]).split(",") + ([_STATUS] if status else [])
    facts = {choice(context, "-o", word, _WORDS, {}) for word in words}
    choices = choices_with(context, qmgr_name, only_reads=True)
    name = choices.qmgr
    if choices.store_is_missing():
        no_store = str(MissingStoreError(target.path_of_file(choices)))
        if name is not None:
            raise PlainFailureError(f"{NAME_ERROR}\n{no_store}", Code.WRONG_NAME)
        choices.inform(f"dspmq: {no_store}")
        return
    for manager in _managers(choices):
        if not (only_active and manager.has_ended):
            _print(manager, facts, upper=untranslated, with_instances=with_instances)
    if only_active:
        # IBM's command says so of success with -a.
        context.exit(Code.RUNNING)


def _managers(choices: Choices) -> list[_Shown]:
    """The queue managers of the store, or the one that was named."""
    try:
        with target.opened_store(choices) as store:
            return [
                _shown_manager(store, row)
                for row in store.queue_managers()
                if choices.qmgr in (None, row.name)
            ]
    except target.UnknownQueueManagerError as error:
        raise PlainFailureError(NAME_ERROR, Code.WRONG_NAME) from error


def _shown_manager(store: Store, queue_manager: ManagerRow) -> _Shown:
    state = _STATES.get(queue_manager.state) or _ENDINGS[how_it_ended(store, queue_manager.name)]
    return _Shown(queue_manager, state, store.environment.host)


def _print(manager: _Shown, facts: set[str], *, upper: bool, with_instances: bool) -> None:
    shown = _IN_ALL if _ALL in facts else ()
    printed = [
        line for fact, line in _facts(manager, upper=upper) if fact in facts or fact in shown
    ]
    print_line(f"{f'QMNAME({manager.queue_manager.name})':<{_NAME_WIDTH}}{' '.join(printed)}")
    if with_instances and not manager.has_ended:
        print_line(f"    INSTANCE({manager.host}) MODE({_in_case('Active', upper)})")


def _facts(manager: _Shown, *, upper: bool) -> Iterator[tuple[str, str]]:
    """What -o can show, in IBM's order, each with its keyword."""
    yield _STATUS, f"STATUS({_in_case(manager.state, upper)})"
    yield (
        _DEFAULT,
        f"DEFAULT({_in_case('yes' if manager.queue_manager.is_default else 'no', upper)})",
    )
    yield (
        _STANDBY,
        f"STANDBY({_in_case('Not applicable' if manager.has_ended else 'Not permitted', upper)})",
    )
    yield (
        _INSTALLATION,
        f"INSTNAME({INSTALLATION}) INSTPATH({sys.prefix}) INSTVER({product_version()})",
    )
    yield _HA, "HA()"
    yield _DR, "DRROLE()"
    yield _NATIVE_HA, f"ROLE({_in_case('Not configured', upper)}) INSTANCE() INSYNC() QUORUM()"


def _in_case(value: str, upper: bool) -> str:
    return value.upper() if upper else value
