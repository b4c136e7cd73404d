"""Opens the store and the queue manager that the options name, or ends the command (exit codes:
design §2.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from os.path import basename
from typing import TYPE_CHECKING, NamedTuple

import click

from mqsc.console import stopped_waits
from mqsc.console.choices import Choices

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager
    from mqsc.store.client.store import Store
    from mqsc.store.engine.state import StoreState
    from mqsc.store.environment import Clock, Environment
    from mqsc.store.error import MQError
    from mqsc.store.published import Bound

FIRST_QUEUE_MANAGER = "QM1"
# Exit codes.
FAILED, NOTHING_RUN = 10, 20


class NothingRunError(click.ClickException):
    """Nothing was run: exit code 20."""

    exit_code = NOTHING_RUN


class CommandFailedError(click.ClickException):
    """The command failed, or names something that does not exist: exit code 10."""

    exit_code = FAILED


class UnknownQueueManagerError(CommandFailedError):
    """There is no such queue manager, or none at all."""


class NotAuthorizedError(CommandFailedError):
    """The user may not do this, or the password is wrong."""


class NotRunningError(NothingRunError):
    """The queue manager is not running."""


@contextmanager
def failing(
    kind: type[Exception],
    as_: type[click.ClickException] = CommandFailedError,
    begin: str = "",
) -> Iterator[None]:
    """Turn such an error, whose text says what is wrong, into the failure of the command, which
    begins so.
    """
    try:
        yield
    except kind as error:
        raise as_(f"{begin}{error}") from error


@contextmanager
def explained(reason: int, sentence: str) -> Iterator[None]:
    """Turn an MQError with that reason into the failure of the command, which the sentence
    explains.
    """
    from mqsc.store.error import MQError

    try:
        yield
    except MQError as error:
        if error.reason != reason:
            raise
        raise CommandFailedError(sentence) from error


@contextmanager
def opened_store(
    choices: Choices,
    *,
    create: bool = False,
    environment: Environment[Clock] | None = None,
) -> Iterator[Store]:
    """The chosen store, closed on exit; StoreError when it is missing (unless `create`) or
    unusable.

    A store in memory is refused: it would be gone when the command ends. So is a queue manager
    after -m that does not exist (unless `create`), even if the command is about the store as a
    whole.
    """
    with _opened(choices, create=create, environment=environment) as store:
        if not create:
            check_named(store, choices)
        yield store


@contextmanager
def _opened(
    choices: Choices,
    *,
    create: bool,
    environment: Environment[Clock] | None,
    for_users: bool = False,
) -> Iterator[Store]:
    from mqsc.store.client.store import open_store

    if choices.only_reads:
        with unchanged(choices) as left_alone:
            opened = _opened(
                left_alone, create=create, environment=environment, for_users=for_users
            )
            with opened as store:
                yield store
        return
    path = path_of_file(choices)
    with (
        open_store(choices.store_url(), environment, create=create) as store,
        _damage_explains(path),
    ):
        inform_about_undone_restore(choices, store)
        _warn_of_library(choices)
        # A user who runs these commands can read and change the file.
        store.is_administrators = True
        act_as(store, choices, for_users=for_users)
        yield store


@contextmanager
def unchanged(choices: Choices) -> Iterator[Choices]:
    """The choices of a command that only reads, for the block: with a copy in place of a store
    whose file must stay as it is.

    On the copy the ordinary code runs: it discards expired messages and recovers dead programs
    there. StoreError if the file cannot be read.
    """
    from mqsc.store.sqlite.untouched import must_stay_as_it_is

    path = path_of_file(choices)
    ordinary = choices._replace(only_reads=False)
    if not must_stay_as_it_is(path):
        yield ordinary
        return
    from mqsc.store.client.store_url import url_of_file
    from mqsc.store.error import StoreError
    from mqsc.store.past.present import copy_of_present

    with copy_of_present(path) as copy:
        try:
            yield ordinary._replace(store=url_of_file(copy))
        except StoreError as error:
            # The user does not know the copy.
            error.args = (str(error).replace(str(copy), path),)
            raise


def inform_about_undone_restore(choices: Choices, store: StoreState) -> None:
    """Say that opening the store has undone a restore that was killed."""
    if store.undone_restore:
        choices.inform(f"mqsc: {store.undone_restore}")


def act_as(store: StoreState, choices: Choices, *, for_users: bool) -> None:
    """Let the store act for the user that --user names.

    CommandFailedError if that needs a password that is wrong, or if the command is not `for_users`
    and the user is no administrator.
    """
    user = choices.user_name()
    if user is None and store.is_owner:
        return
    from mqsc.store.admin import user_accounts

    name = user or store.environment.user
    if user is not None and user != store.environment.user and not store.is_owner:
        password = click.prompt(f"Password of {user}", hide_input=True, err=True)
        if not user_accounts.has_password(store, user, password):
            raise NotAuthorizedError(f"AMQ5534E: the user {user} or the password is wrong")
    if not for_users and not user_accounts.may_administer(store, name):
        raise NotAuthorizedError(f"AMQ7077E: only administrators may do this, and {name} is none")
    store.acting_user = "" if user is None else user


@contextmanager
def _damage_explains(path: str) -> Iterator[None]:
    """Raise DamagedStoreError in place of a programming error in the block, if the file is damaged.

    A value that our code never writes, in the file or in the history, can make any of it fail.
    """
    try:
        yield
    except (
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ) as error:
        from traceback import extract_tb

        from mqsc.store.admin.health import faults_of_file
        from mqsc.store.error import DamagedStoreError
        from mqsc.store.past.audit import faults_of_history

        faults = faults_of_file(path) or faults_of_history(path)
        if not faults:
            raise
        # If our code was wrong all the same, this says where.
        where = extract_tb(error.__traceback__)[-1]
        faults.append(
            f"noticed by {type(error).__name__} in {basename(where.filename)}, line {where.lineno}",
        )
        raise DamagedStoreError(
            f"{path} is damaged; restore it from a copy ({'; '.join(faults)})",
        ) from error


class FrozenStore(NamedTuple):
    """A store at one moment, for a report. `archived`: its UUID, up to which event it is pruned,
    and the archive. `archived_up_to` is the last event that it has archived.
    """

    path: str | None
    bound: Bound
    archived: tuple[str, int, str]
    archived_up_to: int


@contextmanager
def frozen_store(
    choices: Choices,
    look: Callable[[Store], None],
    *,
    with_kept: bool = False,
) -> Iterator[FrozenStore]:
    """The chosen store at this moment, after `look` has seen it. The moment is in a file until the
    block ends.

    `with_kept`: together with the data that was kept of messages that are gone.

    The store is closed in the block, because other processes read it with another SQLite library
    (design §3.13).
    """
    from mqsc.store.admin.archiving import archived_to, archived_up_to, pruning_prevented
    from mqsc.store.past.temporary_folders import temporary_folder

    with ExitStack() as held:
        folder = held.enter_context(temporary_folder())
        # The queue manager may be one of an archive alone.
        left_alone = held.enter_context(unchanged(choices._replace(qmgr=None)))
        with opened_store(left_alone) as store:
            if store.path is not None:
                held.enter_context(pruning_prevented(store.path))
            look(store)
            bound = store.freeze(folder / "frozen.db", with_kept=with_kept)
            # After that: what is pruned in between is in the archive.
            found = FrozenStore(store.path, bound, archived_to(store), archived_up_to(store))
        yield found


@contextmanager
def store_to_look_up(choices: Choices) -> Iterator[StoreState]:
    """The chosen store, for a command that only reads: it starts faster than with
    `opened_store`.
    """
    from mqsc.store.admin.read_only_store import can_be_read_as_it_is, opened_to_read
    from mqsc.store.environment import Environment

    path = path_of_file(choices)
    untouched = choices.only_reads and can_be_read_as_it_is(path)
    if choices.only_reads and not untouched:
        with unchanged(choices) as left_alone, store_to_look_up(left_alone) as store:
            yield store
        return
    opened = opened_to_read(path, Environment.system(), untouched=untouched)
    with opened as store, _damage_explains(path):
        _warn_of_library(choices)
        act_as(store, choices, for_users=False)
        yield store


def path_of_file(choices: Choices) -> str:
    """The path of the chosen store; NothingRunError for a store in memory."""
    from mqsc.store.client.store_url import path_of

    url = choices.store_url()
    path = path_of(url)
    if path is None:
        raise NothingRunError(
            f"{url} is a store in memory, gone when the command ends; write sqlite:///PATH",
        )
    return path


def path_to_spare(choices: Choices) -> str | None:
    """The path of the chosen store if there is one, for a command that needs none: the shell may
    have it open.
    """
    from platformdirs import user_data_path

    from mqsc.store.error import StoreError

    if not (choices.named_store() or user_data_path("mqsc", appauthor=False).exists()):
        return None
    with suppress(NothingRunError, StoreError):
        return path_of_file(choices)
    return None


def _warn_of_library(choices: Choices) -> None:
    from mqsc.store.sqlite.driver import library_warning

    warning = library_warning()
    if warning:
        choices.inform(f"mqsc: {warning}")


@contextmanager
def opened_queue_manager(
    choices: Choices,
    *,
    create: bool = False,
    environment: Environment[Clock] | None = None,
    group: bool = True,
    for_users: bool = False,
) -> Iterator[QueueManager]:
    """The chosen queue manager, or the default one; CommandFailedError when it does not exist.

    With `create`, and if none was named, a missing store, or one that never had a queue manager,
    gets the queue manager QM1, reported on stderr. If one was named, a missing store is a
    StoreError, as without `create`. The name of a queue-sharing group leads to one of its running
    members, unless `group` is false. `for_users`: the command is not for administrators alone,
    because what it does asks for authorities.
    """
    name = choices.qmgr_name()
    may_create = create and name is None
    with _opened(choices, create=may_create, environment=environment, for_users=for_users) as store:
        if name is not None and not group:
            refuse_group(store, name)
        yield _chosen(store, name, choices, create)


def check_named(store: Store, choices: Choices) -> None:
    """Raise CommandFailedError if -m names neither a queue manager of the store nor its
    queue-sharing group.
    """
    from mqsc.store.admin.sharing_groups import group_of_store

    name = choices.qmgr
    if name is not None and name not in {
        *(row.name for row in store.queue_managers()),
        group_of_store(store),
    }:
        raise unknown_queue_manager(name)


def refuse_group(store: Store, name: str) -> None:
    """Raise NothingRunError if the name is that of the queue-sharing group, where a member must
    be named.
    """
    from mqsc.store.admin.sharing_groups import group_of_store

    if group_of_store(store) == name:
        members = _members(store, name)
        named = f": {', '.join(members)}" if members else ""
        raise NothingRunError(f"{name} is a queue-sharing group; name one of its members{named}")


def _members(store: Store, group: str) -> list[str]:
    return [row.name for row in store.queue_managers() if row.sharing_group == group]


def running(qmgr: QueueManager) -> QueueManager:
    """The queue manager, if it is running; else NotRunningError."""
    from mqsc.language.reply import message_line

    if not qmgr.is_running:
        raise NotRunningError(message_line("AMQ8146E", qmgr.name))
    return qmgr


def unknown_queue_manager(name: str) -> UnknownQueueManagerError:
    """The error when a queue manager is named that does not exist."""
    from mqsc.language.reply import message_line

    return UnknownQueueManagerError(message_line("AMQ8118E", name))


def not_opened(error: MQError, failed: str, why: str | None = None) -> click.ClickException:
    """The error when a queue cannot be opened: exit code 10, but 20 when the queue manager has
    ended.
    """
    from mqsc.console.text.reasons import error_text
    from mqsc.store.constants import MQRC

    ended = error.reason == MQRC.Q_MGR_NOT_AVAILABLE
    return (NothingRunError if ended else CommandFailedError)(
        f"{failed}: {why or error_text(error)}",
    )


def not_created(error: MQError, name: str) -> Exception:
    """The error when a queue manager cannot be created: it exists, or its name is not valid."""
    from mqsc.language.reply import message_line
    from mqsc.store.constants import MQRC, MQRCCF

    if error.reason == MQRCCF.OBJECT_ALREADY_EXISTS:
        return CommandFailedError(message_line("AMQ8110E", name))
    if error.reason == MQRC.Q_MGR_NAME_ERROR:
        return NothingRunError(
            f"{name!r} is not a valid queue manager name: use 1 to 48 letters, digits and . / _ %",
        )
    return error


def no_queue_manager() -> UnknownQueueManagerError:
    """The error when the store has no queue manager at all."""
    return UnknownQueueManagerError(
        "the store holds no queue manager; create one with `mqsc qmgr create QM1`",
    )


def _chosen(store: Store, name: str | None, choices: Choices, create: bool) -> QueueManager:
    from mqsc.store.constants import MQRC
    from mqsc.store.error import MQError

    try:
        return store.queue_manager(name or "")
    except MQError as error:
        if error.reason == MQRC.Q_MGR_NOT_AVAILABLE:
            members = _members(store, str(name))
            why = (
                f"no member of {name} is running; start one with `mqsc qmgr start`: "
                f"{', '.join(members)}"
            )
            none = f"{name} has no members; `mqsc qmgr join` adds one"
            raise NotRunningError(f"AMQ8146E: {why if members else none}") from error
        if error.reason != MQRC.Q_MGR_NAME_ERROR:
            raise
        if name is not None:
            raise unknown_queue_manager(name) from error
        present = [row.name for row in store.queue_managers()]
        if present:
            names = ", ".join(present)
            raise NothingRunError(
                f"AMQ8146E: there is no default queue manager; name one with -m: {names}",
            ) from error
        if not create or has_had_queue_manager(store):
            raise no_queue_manager() from error
    created = store.create_queue_manager(FIRST_QUEUE_MANAGER)
    choices.inform(f"mqsc: created the queue manager {created.name} in {store.path}")
    return created


def has_had_queue_manager(store: Store) -> bool:
    """Whether the store has, or had, a queue manager: its history is kept when a queue manager
    is deleted.
    """
    return store.bound().seq > 0


def reason_to_create(choices: Choices) -> str | None:
    """Why `opened_queue_manager` would create the first queue manager; None if it would not."""
    from mqsc.store import open_store

    if choices.qmgr_name() is not None:
        return None
    if choices.store_is_missing():
        return "there is no store"
    with open_store(choices.store_url(), create=False) as store:
        return None if has_had_queue_manager(store) else "the store has no queue manager"


def inform_about_manual_clock(choices: Choices, qmgr: QueueManager, *consequence: str) -> None:
    """Point out that a manual clock does not advance by itself, and what follows: unless given,
    that a wait does not end by itself.
    """
    if qmgr.row().clock_at is not None:
        choices.inform(stopped_waits.sentence(qmgr.name, *consequence))
