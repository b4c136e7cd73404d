"""Files that a command replaces as a whole, so that a kill at any moment loses neither the old
nor the new content.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mqsc.console.inputs import InputError


def write_whole(path: Path, content: bytes, *, mode: int | None = None) -> None:
    """Replace a file at once, so that an interruption leaves the old one; InputError if it cannot
    be written.

    Symbolic links are followed, and a file with several names (hard links) keeps all of them.
    Devices and pipes are refused. `mode` are its permissions; without it those of the old file, or
    as for any new file.
    """
    from mqsc.store.sqlite import copies

    if path.exists() and not path.is_file():
        raise InputError(f"{path} cannot be written: it is not a file")
    target = Path(os.path.realpath(path))
    with _explained(path):
        finish_writing(target)
        old = target.stat() if target.exists() else None
        with copies.partial_file(target, None) as partial:
            _fill(partial, content, old, mode)
            if old is None or old.st_nlink == 1:
                copies.rename(partial, target)
                return
            if not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            complete = _complete_of(target)
            copies.rename(partial, complete)
            _overwrite(target, complete)


def finish_writing(path: Path) -> bool:
    """Finish the change of a file with several names, if the program that made it was killed;
    whether there was one.

    Such a file is overwritten in its place, after the new content is complete in a file beside it.
    """
    target = Path(os.path.realpath(path))
    complete = _complete_of(target)
    try:
        descriptor = os.open(complete, os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        # Another user could have put it there.
        if not target.is_file() or os.fstat(descriptor).st_uid not in (
            os.geteuid(),
            target.stat().st_uid,
        ):
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not complete.exists():
            return False
        _overwrite(target, complete)
    except BlockingIOError:
        # The program that writes it is at work.
        return False
    finally:
        os.close(descriptor)
    return True


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    from mqsc.store.error import StoreError

    try:
        yield
    except StoreError as error:
        cause = error.__cause__
        why = cause.strerror if isinstance(cause, OSError) else error
        raise InputError(f"{path} cannot be written: {why}") from error
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from error


def _complete_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.mqsc-complete")


def _fill(partial: Path, content: bytes, old: os.stat_result | None, mode: int | None) -> None:
    """Write the content, owner and permissions of the new file, and wait for the disk."""
    with partial.open("r+b") as out:
        out.write(content)
        if old is not None:
            # Only root can give a file to another user.
            with suppress(PermissionError):
                os.fchown(out.fileno(), old.st_uid, old.st_gid)
        os.fchmod(
            out.fileno(),
            _mode_of_new_files() if old is None and mode is None else mode or _mode(old),
        )
        out.flush()
        os.fsync(out.fileno())


def _mode(old: os.stat_result | None) -> int:
    return 0o600 if old is None else stat.S_IMODE(old.st_mode)


def _mode_of_new_files() -> int:
    umask = os.umask(0o077)
    os.umask(umask)
    return 0o666 & ~umask


def _overwrite(target: Path, complete: Path) -> None:
    with target.open("r+b") as out:
        out.write(complete.read_bytes())
        out.truncate()
        out.flush()
        os.fsync(out.fileno())
    complete.unlink()
