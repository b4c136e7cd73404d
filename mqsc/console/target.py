"""From what the user chose to an open store and a queue manager, or a refusal with exit code 20 (design §2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from mqsc.console.options import Choices

if TYPE_CHECKING:
    from store.client.api import QueueManager, Store
    from store.environment import Clock, Environment

FIRST_QUEUE_MANAGER = "QM1"


class NothingRunError(click.ClickException):
    """Nothing could be run: exit code 20."""

    exit_code = 20


class CommandFailedError(click.ClickException):
    """The command was understood and tried, and failed: exit code 10."""

    exit_code = 10


@contextmanager
def opened_store(
    choices: Choices, *, create: bool = False, environment: Environment[Clock] | None = None
) -> Iterator[Store]:
    """The store the user chose, closed on leaving; StoreError when it is missing (unless `create`) or unusable."""
    from store import open_store
    from store.sqlite.driver import library_warning

    with open_store(choices.store_url(), environment, create=create) as store:
        warning = library_warning()
        if warning:
            choices.talk(f"mqsc: {warning}")
        yield store


@contextmanager
def opened_queue_manager(
    choices: Choices, *, create: bool = False, environment: Environment[Clock] | None = None
) -> Iterator[QueueManager]:
    """The queue manager the user chose, or the default one; Refused when there is none.

    With `create`, a store without any queue manager gets QM1 when none was named, and stderr says so.
    """
    name = choices.qmgr_name()
    if create and name is not None and choices.store_is_missing():
        raise _missing(name)
    with opened_store(choices, create=create and name is None, environment=environment) as store:
        yield _chosen(store, name, choices, create)


def _missing(name: str) -> NothingRunError:
    return NothingRunError(f"AMQ8118E: IBM MQ queue manager '{name}' does not exist.")


def _chosen(store: Store, name: str | None, choices: Choices, create: bool) -> QueueManager:
    from store.error import MQError

    try:
        return store.queue_manager(name or "")
    except MQError as error:
        if name is not None:
            raise _missing(name) from error
        present = [row.name for row in store.queue_managers()]
        if present:
            there = ", ".join(present)
            raise NothingRunError(f"AMQ8146E: there is no default queue manager; name one with -m: {there}") from error
        if not create:
            raise NothingRunError("the store holds no queue manager; `mqsc qmgr create QM1` creates one") from error
    created = store.create_queue_manager(FIRST_QUEUE_MANAGER)
    choices.talk(f"mqsc: created the queue manager {created.name} in {store.path or 'memory'}")
    return created
