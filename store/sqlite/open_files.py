"""Whether the files that this process has open are still the files of the store.

A file, its log (-wal) and its shared memory (-shm) may be renamed, removed, replaced or overwritten
while programs use them. SQLite notices none of that: it goes on writing to files that no longer
have a name, or copies its log into a file that the log does not belong to, and acknowledges what is
lost. So every transaction first asks the operating system for three things that change with any of
this: when the file was last changed, when a name in its folder was, and what the log holds where
its last frame was. Only if one of them has changed, it looks closely.

Only programs that hold the writer lock write to the file itself, when they copy the log into it.
The first that finds it changed notes its new state in the lock's own file, so that all agree on
what was written by one of them.
"""

from __future__ import annotations

import os
import stat
import struct
import threading
from collections.abc import Callable
from posix import fstat, lstat, pread
from typing import Any, NamedTuple

from mqsc.store.environment import elapsed_real_seconds, file_system_time, pause_a_moment
from mqsc.store.error import StoreError
from mqsc.store.sqlite.byte_locks import begin_use, end_use, holder_of_file, is_shared_memory_open
from mqsc.store.sqlite.driver import DriverConnection, open_to_look_at, sqlite_library
from mqsc.store.sqlite.files import file_failure, file_size, with_file_failures
from mqsc.store.sqlite.locks import LockFile

LOG, SHARED_MEMORY = "-wal", "-shm"
# Operating systems note the time of a change in steps of up to 10 ms: two changes in one step look
# like one.
STEP_NANOSECONDS = 20_000_000
# If a file was written this recently, and its log was copied since, the copying wrote it: nothing
# else is that fast.
RECENT_NANOSECONDS = 50_000_000
# After this long a transaction looks closely even if nothing seems to have changed: which frame is
# now the last of the log, and whether the folder still has its name. A call that only reads looks
# at the names this often.
LOOK_SECONDS = 0.05
# How long a program that opens the file takes to open its shared memory, too.
OPENING_SECONDS = 1.0
# In bytes. The header of a frame ends with two salts, which are new whenever the log begins again,
# and two checksums.
_LOG_HEADER, _FRAME_HEADER = 32, 24
_CHECKSUM = struct.Struct(">II")
# The shared memory: the number of frames, the checksums of the last one, the salts, and how many
# frames are copied ("WAL-Index File Format" in SQLite's documentation).
_INDEX = struct.Struct("=16xI4xII8s56xI")
# Descriptors on shared memory by its device and inode. To close one would drop SQLite's locks,
# unless it is deleted.
_SHARED: dict[tuple[int, int], int] = {}
_OPENING = threading.Lock()
# The size of SQLite's smallest page.
_SMALLEST = 512
# The highest numbers given to rows of each table: they only grow, and each transaction that records
# something raises one. They are on one page, so even a file into which the log was half copied has
# either the old or the new ones.
_NUMBERS_GIVEN = "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence"
_LENGTH = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
# Opens a file for its name and times alone. To close any other descriptor on the file would drop
# SQLite's locks.
_NO_ACCESS = getattr(os, "O_PATH", 0)
_look_at: Callable[[Any], os.stat_result] = fstat if _NO_ACCESS else lstat
_NEVER = -1


class _Note(NamedTuple):
    """The state of the file as noted: time of the last write, size, how much of the log it
    holds, numbers given.
    """

    written: int
    size: int
    beginning: int
    copied: int
    is_complete: int
    numbers: int

    def may_have_been_copied_to_since(self, before: _Note) -> bool:
        """Whether more of the log was copied into the file, or all of it before the log began
        again.
        """
        if self.beginning == before.beginning:
            return self.copied != before.copied
        return self.copied > 0 or not before.is_complete


class _LogState(NamedTuple):
    """The salts of the log, the header of its last frame, the number of its frames, and how many
    are in the file.
    """

    salts: bytes
    last: bytes
    frames: int
    copied: int


class OpenFiles:
    """The file of a store, its log and its shared memory, as this process has them open."""

    def __init__(self, path: str, note: LockFile) -> None:
        """`note` is the lock of the program that writes; its file keeps the state of the store's
        file.
        """
        self._path = path
        self._note_file = note
        try:
            file_status = lstat(path)
        except OSError as error:
            raise file_failure(path, error) from error
        if stat.S_ISREG(file_status.st_mode) and file_status.st_nlink > 1:
            raise StoreError(
                f"{path} has {file_status.st_nlink} names (hard links): programs that use two of "
                "them damage the store. "
                f"Remove the others (`find DIR -samefile {path}` lists them), or copy the file "
                "with mqsc backup",
            )
        self._is_regular = stat.S_ISREG(file_status.st_mode)
        self._is_used = False
        # Device and inode of the file by its suffix; those of the log and the shared memory while
        # they are open.
        self._identities = {"": _identity(file_status)}
        self._descriptors: list[int] = []
        self._log = self._folder = _NEVER
        self._file: int | str = path
        self._forget()
        # Whether the log was missing or empty when the file was opened: it then belongs to no
        # earlier state of it.
        self._is_first = False
        # Why the files are not those of the store any more.
        self.lost = ""

    def _forget(self) -> None:
        self._written = self._size = self._last_at = 0
        self._file_changed = self._names_changed = _NEVER
        self._last_frame = b""
        self._noticed = _LogState(b"", b"", 0, 0)
        self._look_again_at, self._look_at_names_at = 0.0, 0.0

    def check(self, connection: DriverConnection) -> None:
        """Raise StoreError unless the files are still those that this process opened. The caller
        may write.
        """
        try:
            if (
                _look_at(self._file).st_ctime_ns != self._file_changed
                or fstat(self._folder).st_mtime_ns != self._names_changed
                or pread(self._log, _FRAME_HEADER, self._last_at) != self._last_frame
                or elapsed_real_seconds() >= self._look_again_at
            ):
                self._look_closely(connection)
        except OSError as error:
            raise file_failure(self._path, error) from error

    def check_to_read(self) -> None:
        """Raise StoreError if a name leads to another file than this process has open; looks
        after LOOK_SECONDS.
        """
        if elapsed_real_seconds() >= self._look_at_names_at:
            self.check_names()

    @with_file_failures
    def before_connecting(self) -> None:
        """Raise StoreError if a new connection would open other files than this process uses."""
        if self._descriptors or self.lost:
            self.check_names()
            return
        if self._is_regular:
            self._refuse_another_name()
        if not self._is_used:
            begin_use(self._identities[""])
            self._is_used = True
        self._is_first = not file_size(f"{self._path}{LOG}")

    def _refuse_another_name(self) -> None:
        deadline = elapsed_real_seconds() + OPENING_SECONDS
        while (holder := self._user_of_another_name()) is not None:
            if elapsed_real_seconds() > deadline:
                by = f"process {holder}" if holder else "a program in another container"
                raise StoreError(
                    f"{self._path} is in use under another name by {by}: the file was renamed or "
                    "linked; end all "
                    "programs that use it, then give the file and its log the same name again",
                )
            pause_a_moment()

    def _user_of_another_name(self) -> int | None:
        """A process that has the file open, though not the shared memory of this name; 0 if it is
        elsewhere.
        """
        shared_memory = f"{self._path}{SHARED_MEMORY}"
        try:
            if is_shared_memory_open(_open_shared_memory(shared_memory)):
                return None
        except FileNotFoundError:
            pass
        except PermissionError:
            # SQLite will say so.
            return None
        try:
            return holder_of_file(self._path, self._identities[""])
        except PermissionError:
            return None

    @with_file_failures
    def connected(self, connection: DriverConnection) -> None:
        """Take note of the files that the first connection has opened."""
        if self._descriptors:
            return
        if not os.path.exists(f"{self._path}{LOG}"):
            connection.execute("PRAGMA wal_checkpoint").fetchall()  # creates the log of a new store
        self._frame_size = _FRAME_HEADER + _number(connection, "PRAGMA page_size")
        for suffix in (LOG, SHARED_MEMORY):
            self._identities[suffix] = _identity(self._status_of_file(suffix))
        _open_shared_memory(f"{self._path}{SHARED_MEMORY}")
        # SQLite locks neither the log nor the folder, so these descriptors may be closed again.
        self._log = self._open(f"{self._path}{LOG}", os.O_RDONLY)
        self._folder = self._open(os.path.dirname(self._path) or ".", _NO_ACCESS)
        if _NO_ACCESS:
            self._file = self._open(self._path, _NO_ACCESS)

    def _open(self, path: str, flags: int) -> int:
        self._descriptors.append(os.open(path, flags))
        return self._descriptors[-1]

    def close(self) -> None:
        """This process has closed the files: the next that opens them may find another log."""
        if self.lost:
            return
        while self._descriptors:
            os.close(self._descriptors.pop())
        self._identities = {"": self._identities[""]}
        self._forget()
        if self._is_used:
            self._is_used = False
            end_use(self._identities[""])

    @with_file_failures
    def check_names(self) -> os.stat_result:
        """Raise StoreError if the name of a file that this process has open leads to another, or
        to none.
        """
        if self.lost:
            raise StoreError(self.lost)
        looked_at = file_system_time()
        try:
            names_changed = fstat(self._folder).st_mtime_ns if self._descriptors else _NEVER
        except OSError:
            # Another thread is closing the files.
            names_changed = _NEVER
        file_status = self._status_of_file("")
        # A copy, because another thread may be opening the log.
        for suffix, identity in tuple(self._identities.items()):
            if _identity(self._status_of_file(suffix)) != identity:
                raise self._loss(suffix, "was replaced by another file")
        if file_status.st_size < min(_SMALLEST, self._size):
            # SQLite would take it for a new file, and wait for the programs that have locked it.
            raise self._loss("", "was emptied")
        # Until the step is over, further changes would have the same time.
        self._names_changed = (
            names_changed if looked_at - names_changed > STEP_NANOSECONDS else _NEVER
        )
        self._look_at_names_at = elapsed_real_seconds() + LOOK_SECONDS
        return file_status

    def _status_of_file(self, suffix: str) -> os.stat_result:
        try:
            return lstat(f"{self._path}{suffix}")
        except FileNotFoundError:
            raise self._loss(suffix, "was deleted or renamed") from None

    def _look_closely(self, connection: DriverConnection) -> None:
        looked_at = file_system_time()
        file_status = self.check_names()
        log = self._check_log()
        if (file_status.st_mtime_ns, file_status.st_size) != (self._written, self._size):
            self._check_content(
                connection,
                file_status,
                log,
                is_recent=looked_at - file_status.st_mtime_ns <= RECENT_NANOSECONDS,
            )
        self._written = file_status.st_mtime_ns
        self._size = file_status.st_size
        self._file_changed = file_status.st_ctime_ns
        self._look_again_at = elapsed_real_seconds() + LOOK_SECONDS

    def _check_log(self) -> _LogState:
        """Raise StoreError unless the last frame of the log is the one that the shared memory
        names.

        Its checksum depends on all frames before it, so no other state of the log has it there.
        """
        log = self._log_state()
        self._last_at = _LOG_HEADER + max(log.frames - 1, 0) * self._frame_size
        self._last_frame = pread(self._log, _FRAME_HEADER, self._last_at)
        is_there = (
            self._last_frame.endswith(log.last)
            and pread(self._log, _LOG_HEADER, 0)[16:24] == log.salts
        )
        # A program that does not take our lock, such as the sqlite3 shell, may have written in
        # between.
        if log.frames and not is_there and self._log_state() == log:
            raise self._loss(LOG, "was removed, cut short or overwritten")
        if log.salts == self._noticed.salts and log.frames < self._noticed.frames:
            raise self._loss(SHARED_MEMORY, "was overwritten")
        self._noticed = log
        return log

    def _log_state(self) -> _LogState:
        index = pread(_SHARED[self._identities[SHARED_MEMORY]], _INDEX.size, 0)
        if len(index) < _INDEX.size:
            raise self._loss(SHARED_MEMORY, "was cut short")
        frames, first, second, salts, copied = _INDEX.unpack(index)
        return _LogState(salts, salts + _CHECKSUM.pack(first, second), frames, copied)

    def _check_content(
        self,
        connection: DriverConnection,
        file_status: os.stat_result,
        log: _LogState,
        *,
        is_recent: bool,
    ) -> None:
        """Raise StoreError if anything but the log was written to the file since its state was
        noted.
        """
        noted = None if self._is_first else self._noted()
        numbers = _numbers_given(connection) or 0
        is_complete = log.frames == log.copied
        if is_complete:
            # All of the log is in the file, so both must show the same state.
            oldest = numbers
        else:
            oldest = 0 if noted is None else noted.numbers
        state = _Note(
            file_status.st_mtime_ns,
            file_status.st_size,
            int.from_bytes(log.salts),
            log.copied,
            is_complete,
            oldest,
        )
        is_copied = is_recent and noted is not None and state.may_have_been_copied_to_since(noted)
        if noted is not None and noted[:2] != state[:2] and not is_copied:
            is_shorter = state.size < min(noted.size, _number(connection, _LENGTH))
            self._compare_content(connection, range(oldest, numbers + 1), is_shorter, is_complete)
        self._is_first = False
        self._note_file.write(" ".join(str(int(each)) for each in state).encode())

    def _compare_content(
        self,
        connection: DriverConnection,
        possible: range,
        is_shorter: bool,
        is_complete: bool,
    ) -> None:
        numbers_in_file = self._numbers_in_file()
        if numbers_in_file is not None and numbers_in_file not in possible:
            raise self._loss("", "was overwritten with another state")
        if is_shorter and is_complete:
            raise self._loss("", "was cut short")
        # A file that a program was killed while writing may be unreadable by itself, but not with
        # its log.
        if (numbers_in_file is None or is_shorter) and _is_damaged(connection):
            raise self._loss("", "was overwritten or cut short")

    def _numbers_in_file(self) -> int | None:
        """The numbers given according to the file alone, without its log; None if it cannot be read
        alone.

        -1 if it does not even begin as a database, which copying of the log cannot have caused.
        """
        alone = open_to_look_at(sqlite_library(), self._path)
        try:
            return _number(alone, _NUMBERS_GIVEN)
        except sqlite_library().DatabaseError as error:
            return -1 if "not a database" in str(error) else None
        except UnicodeDecodeError:
            return None
        finally:
            alone.close()

    def _noted(self) -> _Note | None:
        try:
            return _Note(*map(int, self._note_file.read().split()))
        except (TypeError, ValueError):
            return None

    def _loss(self, suffix: str, what: str) -> StoreError:
        self._names_changed, self._look_at_names_at = _NEVER, 0.0
        named = f"the log {self._path}{suffix}" if suffix == LOG else f"{self._path}{suffix}"
        self.lost = (
            f"{named} {what} while programs were using the store; nothing of this call was kept. "
            "End all programs that "
            "use the store; then put the file back, or restore a backup"
        )
        return StoreError(self.lost)


def _identity(file_status: os.stat_result) -> tuple[int, int]:
    return file_status.st_dev, file_status.st_ino


def _open_shared_memory(path: str) -> int:
    """The descriptor of this process on shared memory."""
    with _OPENING:
        for each, descriptor in list(_SHARED.items()):
            if not fstat(descriptor).st_nlink:
                os.close(_SHARED.pop(each))
        identity = _identity(lstat(path))
        if identity not in _SHARED:
            _SHARED[identity] = os.open(path, os.O_RDONLY)
        return _SHARED[identity]


def _number(connection: DriverConnection, query: str) -> int:
    return int(connection.execute(query).fetchone()[0])


def _numbers_given(connection: DriverConnection) -> int | None:
    try:
        return _number(connection, _NUMBERS_GIVEN)
    except (sqlite_library().DatabaseError, UnicodeDecodeError):
        return None


def _is_damaged(connection: DriverConnection) -> bool:
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
    except (sqlite_library().DatabaseError, UnicodeDecodeError):
        return True
