"""The values of the options that all commands have."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import click

from mqsc.console.terminal import notice

if TYPE_CHECKING:
    from mqsc.console.elsewhere import Elsewhere
    from mqsc.store.client.queue_manager import QueueManager


class Choices(NamedTuple):
    """The values of the common options; None for an option that was not given."""

    store: str | None = None
    qmgr: str | None = None
    format: str | None = None
    quiet: bool | None = None
    user: str | None = None
    # Whether the store is a copy as it was in the past.
    is_past: bool = False
    # Whether the command only reads, and so leaves a backup or a store that cannot be written as it
    # is.
    only_reads: bool = False
    # The queue manager of IBM MQ elsewhere of which the store is a copy.
    elsewhere: Elsewhere | None = None

    def store_url(self) -> str:
        """The URL of the store: --store, else MQSC_STORE, else that of the settings, else
        `default_store`.
        """
        from mqsc.store.client.store_url import url_of

        return url_of(self.named_store() or default_store())

    def named_store(self) -> str:
        """The store that --store, MQSC_STORE or the settings name; blank if none does."""
        named = self.store or os.environ.get("MQSC_STORE")
        if named:
            return named
        from mqsc.console.config import value

        return os.path.expanduser(str(value("store")))

    def store_is_missing(self) -> bool:
        """Whether the store is in a file that does not exist; StoreError if the system cannot
        say.
        """
        from mqsc.store.client.store_url import path_of
        from mqsc.store.sqlite.files import is_missing

        path = path_of(self.store_url())
        return path is not None and is_missing(path)

    def qmgr_name(self) -> str | None:
        """The queue manager named by --qmgr or MQSC_QMGR; None means the store's default."""
        return self.qmgr or os.environ.get("MQSC_QMGR") or None

    def user_name(self) -> str | None:
        """The user to act as, named by --user or MQSC_USER; None for who runs the command, also
        for a blank `user`.
        """
        return (os.environ.get("MQSC_USER") if self.user is None else self.user) or None

    def bring_messages(self, qmgr: QueueManager, pattern: str) -> None:
        """Have the messages of queues elsewhere in the copy; all others are in the store already."""
        if self.elsewhere is not None:
            self.elsewhere.bring_messages(qmgr, pattern)

    def bring_states(self, qmgr: QueueManager) -> None:
        """Have the depths and handles of queues elsewhere in the copy."""
        if self.elsewhere is not None:
            self.elsewhere.bring_states(qmgr)

    def inform(self, sentence: str) -> None:
        """Print an informational message on stderr, unless --quiet was given."""
        if not self.quiet:
            notice(sentence)


def default_store() -> str:
    """The path of the default store in the user's data folder, which is created readable by the
    user only.
    """
    from platformdirs import user_data_path

    folder = user_data_path("mqsc", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder / "mqsc.db")


def choices_of(context: click.Context) -> Choices:
    """The values of the common options given so far."""
    return context.ensure_object(Choices)
