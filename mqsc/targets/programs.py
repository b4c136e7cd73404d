"""Calls of IBM's programs for a target: which ones only read, and what it means when one fails
(targets §3).
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial

from mqsc.console.terminal import printable
from mqsc.targets.calls import (
    LIMIT_SECONDS,
    MOST,
    QMGR,
    QUEUE,
    READING_CALLS,
    CallFailedError,
    Output,
    calls_under_way,
    starting,
)
from mqsc.targets.declared import password_line
from mqsc.targets.target import Target


def read(
    target: Target,
    name: str,
    *,
    queue: str = "",
    most: int = 0,
    limit_seconds: float = LIMIT_SECONDS,
) -> Output:
    """Make one of the calls that only read, or read the same over REST; TargetError."""
    if target.rest:
        from mqsc.targets import rest

        return rest.read(target, name, limit_seconds)
    reading = READING_CALLS[name]
    values = {QMGR: target.queue_manager, QUEUE: queue}
    arguments = [values.get(word, word.replace(MOST, str(most))) for word in reading.arguments]
    commands = "".join(f"{command}\n" for command in reading.commands).encode()
    return call(
        target,
        reading.program,
        arguments,
        standard_input=commands,
        limit_seconds=limit_seconds,
    )


def call(
    target: Target,
    program: str,
    arguments: Sequence[str],
    *,
    standard_input: bytes = b"",
    limit_seconds: float = LIMIT_SECONDS,
) -> Output:
    """Call one of IBM's programs for a target and wait for its end; no shell of ours is involved.

    CallFailedError if it cannot be called, takes longer than the limit, or did nothing: its exit
    code is not 0, and for runmqsc not 10 either, which is that of a script with commands that
    failed. The program and its children are killed at the limit and at Ctrl-C.
    """
    words = target.words(program, arguments)
    given = password_line(target, program) + standard_input
    begin = f"{target.name}: {program}"
    with starting:
        process = _started(words, begin)
        kill = partial(_kill, process)
        calls_under_way.add(kill)
    with process:
        try:
            out, err = process.communicate(given, limit_seconds)
        except subprocess.TimeoutExpired as expired:
            _kill(process)
            output = Output(process.returncode or 0, expired.output or b"", expired.stderr or b"")
            raise CallFailedError(
                f"{begin} has not ended after {limit_seconds:g} s, and was killed",
                output,
            ) from None
        except BaseException:
            _kill(process)
            raise
        finally:
            calls_under_way.discard(kill)
    output = Output(process.returncode, out, err)
    if output.exit_code not in _ENDED_WELL.get(program, (0,)):
        raise CallFailedError(f"{begin}: {why_failed(output, target, program)}", output)
    return output


def _started(words: Sequence[str], begin: str) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Without a terminal, ssh and sudo fail where they would ask for a password.
            start_new_session=True,
            env={**os.environ, "SSH_ASKPASS_REQUIRE": "never"},
        )
    except FileNotFoundError:
        raise CallFailedError(f"{begin}: there is no program {words[0]}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise CallFailedError(f"{begin}: {words[0]} cannot be started: {why}") from error


# The exit codes with which a program has done its work, other than 0 alone.
_ENDED_WELL: Mapping[str, tuple[int, ...]] = {"runmqsc": (0, 10)}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and its children, which are a process group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# What the programs and those before them say when they cannot work: by code where there is one,
# because the texts are in many languages.
_SENTENCES = (
    (
        r"AMQ8135|AMQ4036|AMQ9776|AMQ5534|\b2035\b",
        "not authorized: the user may not do this at {queue_manager}",
    ),
    (r"AMQ8118|AMQ4043|\b2058\b", "the queue manager {queue_manager} does not exist there"),
    (r"AMQ8146|AMQ7015|\b2059\b", "the queue manager {queue_manager} is not running"),
    (r"AMQ7047|AMQ7077", "the user may not run this program there"),
    (r"\b2538\b|AMQ9202|AMQ9213|AMQ9524", "the queue manager {queue_manager} cannot be reached"),
    (r"No such container|container not found|NotFound", "the container does not exist"),
    (
        r"is not running|container .* is stopped|not in a running state|"
        r"cannot exec in a (?:stopped|deleted)",
        "the container is not running",
    ),
    (
        r"Permission denied \(|a terminal is required|a password is required|Host key verification",
        "{via} asks for a password or a confirmation, which nobody can give here: use a key "
        "(try it with BatchMode=yes)",
    ),
    (
        r"Could not resolve hostname|Connection refused|Connection timed out|No route to host|"
        r"Unable to connect to the server",
        "the host cannot be reached",
    ),
    (
        r"executable file not found|command not found|: not found|No such file or directory",
        "the program {program} does not exist there",
    ),
    (r"permission denied", "permission denied"),
)
_LONGEST = 200


def why_failed(output: Output, target: Target, program: str) -> str:
    """Why a program did nothing, as a phrase, with what it wrote if that is not known."""
    text = (output.err + b"\n" + output.out[:_HEAD]).decode("utf-8", "replace")
    for pattern, sentence in _SENTENCES:
        if re.search(pattern, text):
            return sentence.format(
                queue_manager=target.queue_manager,
                via=target.via[0] if target.via else program,
                program=target.programs.get(program, program),
            )
    if output.exit_code == _NOT_FOUND:
        return "the program does not exist there"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = f": {printable(lines[0][:_LONGEST])}" if lines else ""
    ended = (
        f"killed by signal {-output.exit_code}"
        if output.exit_code < 0
        else f"exit code {output.exit_code}"
    )
    return f"{ended}{said}"


_HEAD = 4096
_NOT_FOUND = 127
