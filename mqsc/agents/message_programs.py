"""A program that processes one message: the data on its standard input, the descriptor in its
environment.
"""

import errno
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from threading import Event, Lock, Timer
from typing import IO

from msgspec import Struct, field

from mqsc.agents.programs import GRACE_SECONDS, NOT_RUN_BY_SHELL, Process, end_with_children
from mqsc.console.text import message_properties
from mqsc.store.client.message_handle import MessageHandle
from mqsc.store.descriptor import FIELDS
from mqsc.store.message import Message

PROPERTIES = b"MQSC_PROPERTIES"


class ProgramFailedError(Exception):
    """The program did not process its message, which must be backed out."""


class CannotStartError(Exception):
    """The program cannot be started, whatever the message."""


class MessagePrograms(Struct):
    """Runs a program for each message, in threads; `timeout` is in seconds of real time.

    A program that takes longer gets SIGTERM, and SIGKILL `grace` seconds later, together with its
    children. Nothing is interpreted by a shell unless `shell` is set.
    """

    words: Sequence[str]
    environment: Mapping[str, str]
    timeout: float | None = None
    shell: bool = False
    grace: float = GRACE_SECONDS
    lock: Lock = field(default_factory=Lock)
    running: set[Process] = field(default_factory=set)
    ending: bool = False

    def process(
        self,
        message: Message,
        queue: str,
        properties: MessageHandle | None = None,
    ) -> None:
        """Run the program until it ends. Raises ProgramFailedError unless it exits with 0, and
        CannotStartError.
        """
        texts = variables(message, queue, properties)
        # Files rather than pipes: the program need not read them, however long they are, nor do its
        # children.
        with ExitStack() as files:
            data = files.enter_context(_file_with(message.body))
            listed = (
                files.enter_context(_file_with(texts[PROPERTIES])) if PROPERTIES in texts else None
            )
            process = self._start(data, listed, texts)
        timed_out = Event()
        try:
            status = self._ended(process, timed_out)
        finally:
            with self.lock:
                self.running.discard(process)
        if status == 0 and not timed_out.is_set():
            return
        # Processes that the program left running would work on the message while the next program
        # does, too.
        end_with_children(process, 0)
        if self.shell and status in NOT_RUN_BY_SHELL:
            raise CannotStartError(
                f"{self.words[0]}: exit status {status}, as of a command that the shell cannot run",
            )
        raise ProgramFailedError(self._failure(status, timed_out))

    def end_all(self) -> None:
        """End the programs that are running, and start no further one; from any thread."""
        with self.lock:
            self.ending = True
            running = list(self.running)
        for process in running:
            end_with_children(process, self.grace)

    def _start(
        self,
        data: IO[bytes],
        properties: IO[bytes] | None,
        texts: dict[bytes, bytes],
    ) -> Process:
        environment = {
            os.fsencode(name): os.fsencode(value) for name, value in self.environment.items()
        } | texts
        passed = []
        if properties is not None:
            passed.append(properties.fileno())
            environment[PROPERTIES + b"_FILE"] = b"/dev/fd/%d" % properties.fileno()
        with self.lock:
            if self.ending:
                raise ProgramFailedError("not started: the consumer was stopped")
            try:
                process = self._process(data.fileno(), passed, environment)
            except (OSError, ValueError) as fault:
                raise CannotStartError(
                    f"{self.words[0]}: {getattr(fault, 'strerror', None) or fault}",
                ) from fault
            self.running.add(process)
        return process

    def _process(self, data: int, passed: list[int], environment: dict[bytes, bytes]) -> Process:
        """The process, started without the variable for the properties if the system refuses it
        for its length.
        """
        while True:
            try:
                return subprocess.Popen(
                    self.words[0] if self.shell else self.words,
                    shell=self.shell,
                    stdin=data,
                    pass_fds=passed,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as fault:
                # Only the properties have no limit that every system can hold in its variables.
                if fault.errno != errno.E2BIG or environment.pop(PROPERTIES, None) is None:
                    raise

    def _ended(self, process: Process, timed_out: Event) -> int:
        """The exit status. Popen.wait with a timeout would look only every 50 ms."""
        if self.timeout is None:
            return process.wait()

        def end() -> None:
            timed_out.set()
            end_with_children(process, self.grace)

        timer = Timer(self.timeout, end)
        timer.daemon = True
        timer.start()
        try:
            return process.wait()
        finally:
            timer.cancel()

    def _failure(self, status: int, timed_out: Event) -> str:
        if timed_out.is_set():
            return f"it ran longer than {self.timeout:g} s and was ended"
        return f"signal {-status}" if status < 0 else f"exit status {status}"


def _file_with(data: bytes) -> IO[bytes]:
    """A temporary file to read from; ProgramFailedError if there is no room for the data of this
    message.
    """
    try:
        # Without a buffer, whose rest would be written by close().
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
    except OSError as fault:
        raise CannotStartError(f"no temporary file: {fault.strerror}") from fault
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[file.write(rest) :]
        file.seek(0)
    except BaseException as fault:
        file.close()
        if isinstance(fault, OSError):
            raise ProgramFailedError(
                f"it does not fit in a temporary file: {fault.strerror}",
            ) from fault
        raise
    return file


def variables(
    message: Message,
    queue: str,
    properties: MessageHandle | None = None,
) -> dict[bytes, bytes]:
    """MQSC_QUEUE, and a variable for each field of the descriptor, such as MQSC_MSG_ID; identifiers
    in hexadecimal.

    MQSC_PROPERTIES has the properties as JSON, if there are any. The program finds them in the file
    MQSC_PROPERTIES_FILE, too, and only there when they are too long for a variable (128 KiB on
    Linux).
    """
    values = {name: getattr(message.descriptor, name) for name in FIELDS}
    texts = {"queue": queue, **{name: _text(value) for name, value in values.items()}}
    if properties is not None and properties.properties:
        texts["properties"] = message_properties.as_text(properties)
    # The rest of a field after NUL is no part of its value, and no variable can hold it.
    return {
        b"MQSC_" + name.upper().encode(): text.partition("\0")[0].encode(errors="replace")
        for name, text in texts.items()
    }


def _text(value: object) -> str:
    if value is None:
        return ""
    return value.hex().upper() if isinstance(value, bytes) else str(value)
