"""The values of the options that all commands have."""

from __future__ import annotations

import os
from pathlib import Path

import click
from msgspec import Struct

from mqsc.console.terminal import notice


class Choices(Struct, frozen=True):
    """The values of the common options; None for an option that was not given."""

    store: str | None = None
    qmgr: str | None = None
    format: str | None = None
    quiet: bool | None = None

    def store_url(self) -> str:
        """The URL of the store: --store, else MQSC_STORE, else `default_store`."""
        chosen = self.store or os.environ.get("MQSC_STORE") or default_store()
        # Text that begins like a URL is not taken for a path; if it is not a URL either, opening it is refused.
        return chosen if "://" in chosen or chosen.startswith("sqlite:") else f"sqlite:///{chosen}"

    def names_store(self) -> bool:
        """Whether a store was named, with --store or MQSC_STORE."""
        return bool(self.store or os.environ.get("MQSC_STORE"))

    def store_is_missing(self) -> bool:
        """Whether the store is in a file that does not exist."""
        url = self.store_url()
        path = url.removeprefix("sqlite:///")
        return path != url and not Path(path).expanduser().exists()

    def qmgr_name(self) -> str | None:
        """The queue manager named by --qmgr or MQSC_QMGR; None means the store's default."""
        return self.qmgr or os.environ.get("MQSC_QMGR") or None

    def inform(self, sentence: str) -> None:
        """Print an informational message on stderr, unless --quiet was given."""
        if not self.quiet:
            notice(sentence)


def default_store() -> str:
    """The path of the default store in the user's data folder, which is created readable by the user only."""
    from platformdirs import user_data_path

    folder = user_data_path("mqsc", appauthor=False)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder / "mqsc.db")


def choices_of(context: click.Context) -> Choices:
    """The values of the common options given so far."""
    return context.ensure_object(Choices)
