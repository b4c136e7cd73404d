"""The calls that read a queue manager elsewhere, what a call gives, and how it fails (targets §3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock

from msgspec import Struct

from mqsc.targets.target import TargetError

# Seconds of real time that a program may take.
LIMIT_SECONDS = 60.0
# The placeholders in a call: for the queue manager, the queue, and the number of messages.
QMGR = "{queue_manager}"
QUEUE = "{queue}"
MOST = "{most}"


class ReadingCall(Struct, frozen=True):
    """A call that only reads: the program, its arguments, and the MQSC on its standard input."""

    program: str
    arguments: tuple[str, ...]
    commands: tuple[str, ...] = ()


# All calls that read. A test checks that none of them can change a queue manager.
READING_CALLS: Mapping[str, ReadingCall] = {
    "definitions": ReadingCall(
        "dmpmqcfg",
        ("-m", QMGR, "-a", "-x", "all", "-o", "1line"),
    ),
    "state": ReadingCall(
        "runmqsc",
        (QMGR,),
        (
            "DISPLAY QMGR CMDLEVEL VERSION PLATFORM DEADQ",
            "DISPLAY QLOCAL(*) CURDEPTH IPPROCS OPPROCS",
            "DISPLAY CHSTATUS(*) STATUS",
        ),
    ),
    "messages": ReadingCall(
        "dmpmqmsg",
        ("-m", QMGR, "-i", QUEUE, "-f", "stdout", "-r", f"1..{MOST}"),
    ),
}


class Output(Struct, frozen=True):
    """What a program wrote on stdout and stderr, and its exit code."""

    exit_code: int
    out: bytes
    err: bytes


class CallFailedError(TargetError):
    """A program could not be called, or said why it did nothing. `output` is what it had written,
    None if it did not start.
    """

    def __init__(self, sentence: str, output: Output | None = None) -> None:
        super().__init__(sentence)
        self.output = output


# A function for each call that a thread of this process waits for, which ends it. The lock is held
# from the start of a call until its function is here.
calls_under_way: set[Callable[[], None]] = set()
starting = Lock()


def end_all() -> None:
    """End the calls that threads of this process wait for: it was interrupted."""
    with starting:
        ends = [*calls_under_way]
    for end in ends:
        end()
