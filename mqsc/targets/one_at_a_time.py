"""One change of a queue manager elsewhere at a time, and what the last one left if it was killed
(targets §5).

The lock and the note of the change that is under way are files of the user, so that other users,
and other hosts, are not locked out: they are noticed by reading again before sending.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from platformdirs import user_state_path

from mqsc.console.replaced_file import write_whole
from mqsc.store.sqlite.locks import SingleInstanceLock, is_held
from mqsc.targets.target import Target, TargetError

_OWNER_ONLY = 0o700
_FILE_MODE = 0o600


class UnfinishedChange(Struct, frozen=True):
    """A change that was begun: when (ISO) and by whom, its undo script, blank for none, and its
    commands in order, without secrets.
    """

    at: str
    user: str
    undo: str
    commands: tuple[str, ...]


def _files_of(target: Target) -> tuple[Path, Path]:
    """The lock and the note; the same for targets that lead to the same queue manager in the same
    way.
    """
    folder = user_state_path("mqsc", appauthor=False) / "targets"
    way = sha256(repr((target.via, target.rest)).encode()).hexdigest()[:12]
    name = f"{target.queue_manager.replace('/', '%2F')}-{way}"
    return folder / f"{name}.lock", folder / f"{name}.json"


@contextmanager
def alone(target: Target) -> Iterator[None]:
    """The only program of this user that changes the target, for the block; else TargetError."""
    path, _ = _files_of(target)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=_OWNER_ONLY)
    except OSError as error:
        raise TargetError(f"{error.filename} cannot be made: {error.strerror}") from error
    lock = SingleInstanceLock(path)
    try:
        if not lock.acquire():
            raise TargetError(
                f"{target.name}: nothing was sent: another program of yours is changing "
                f"{target.queue_manager}",
            )
        yield
    finally:
        lock.release()


def begin(target: Target, change: UnfinishedChange) -> None:
    """Note a change before it is sent."""
    write_whole(_files_of(target)[1], msgspec.json.encode(change), mode=_FILE_MODE)


def end(target: Target) -> None:
    """The change is over, and its user knows what became of it."""
    _files_of(target)[1].unlink(missing_ok=True)


def is_under_way(target: Target) -> bool:
    """Whether a program of this user is changing the target now."""
    return is_held(_files_of(target)[0])


def unfinished(target: Target) -> UnfinishedChange | None:
    """The change that was begun and has not ended; None if there is none."""
    try:
        content = _files_of(target)[1].read_bytes()
        return msgspec.json.decode(content, type=UnfinishedChange)
    except (OSError, msgspec.DecodeError):
        return None
