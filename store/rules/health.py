"""The checks of `mqsc doctor` on the facts about a store."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import partial

from msgspec import Struct

from mqsc.store.published import removed_events

REPAIR = "run `mqsc doctor --repair`"
RESTORE = (
    "restore a backup with `mqsc restore FILE`; until then `mqsc export` may still save the "
    "definitions"
)
MEGABYTE, GIGABYTE = 1 << 20, 1 << 30


class Severity(IntEnum):
    """How serious a finding is; the value is the exit code of `mqsc doctor`."""

    OK = 0
    ADVICE = 2
    ERROR = 10


class Finding(Struct, frozen=True):
    """The result of a check; the remedy is blank when there is nothing to do."""

    severity: Severity
    text: str
    remedy: str = ""


class Depth(Struct, frozen=True):
    """A queue whose depth is not the number of its messages."""

    qmgr: str
    queue: str
    depth: int
    messages: int


class Program(Struct, frozen=True):
    """A process that has the store open: its number, its program's name, and its connections.

    `place` says where its number is valid, blank if it is here; such a program has no name. The
    number is 0 if the system does not show the program.
    """

    process: int
    command: str
    connections: int = 0
    place: str = ""

    def __str__(self) -> str:
        if not self.process:
            return "a program that is not visible here, perhaps in another container"
        named = f"{self.process} ({self.command})" if self.command else str(self.process)
        return f"{named} {self.place}".rstrip()


class InDoubt(Struct, frozen=True):
    """A unit of work in doubt, how many messages it holds, and whether a program runs the
    channel of its name.
    """

    qmgr: str
    name: str
    luwid: str
    messages: int
    is_run: bool


class LostReference(Struct, frozen=True):
    """How many rows of a table name a row of another table that does not exist."""

    table: str
    referenced: str
    number: int


class Facts(Struct, frozen=True):
    """A store as `mqsc doctor` found it. Sizes are in bytes."""

    path: str
    schema: int
    queue_managers: int = 0
    # What is wrong with the file. The contents of a damaged file are not read.
    damage: tuple[str, ...] = ()
    damaged_definitions: tuple[tuple[str, str, str], ...] = ()
    wrong_depths: tuple[Depth, ...] = ()
    messages_without_queue: int = 0
    messages_without_unit: int = 0
    lost_references: tuple[LostReference, ...] = ()
    in_doubt: tuple[InDoubt, ...] = ()
    events: int = 0
    first_event: int = 1
    last_event: int = 0
    event_counter: int = 0
    # Of those before the first one, which were archived and removed.
    events_left: int = 0
    programs: tuple[Program, ...] = ()
    dead_processes: int = 0
    dead_connections: int = 0
    lock_holders: tuple[tuple[str, Program], ...] = ()
    # The processes that kept the writer lock for all the time that the check waited for it; None
    # when it was free.
    blocking_writers: tuple[Program, ...] | None = None
    log_bytes: int = 0
    log_limit: int = 16 * MEGABYTE
    # Whether the whole log could be copied into the main file, and the processes that read from it
    # all the time.
    log_is_copied: bool = True
    readers: tuple[Program, ...] = ()
    file_bytes: int = 0
    page_bytes: int = 4096
    free_pages: int = 0
    kept_pages: int = 1000
    returns_pages: bool = True
    disk_free: int = 1 << 40
    sqlite: str = ""
    library_warning: str = ""


def size(number: int) -> str:
    """A number of bytes for people to read: 900 bytes, 1.5 MB, 20.1 GB."""
    if number >= GIGABYTE:
        return f"{number / GIGABYTE:,.1f} GB"
    return f"{number / MEGABYTE:,.1f} MB" if number >= MEGABYTE // 10 else f"{number:,} bytes"


def quantity(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _ok(text: str) -> list[Finding]:
    return [Finding(Severity.OK, text)]


_advice, _error = partial(Finding, Severity.ADVICE), partial(Finding, Severity.ERROR)


def _names(programs: Iterable[Program]) -> str:
    return ", ".join(str(each) for each in programs) or "an unknown process"


def store(facts: Facts) -> list[Finding]:
    managers = "" if facts.damage else f"{quantity(facts.queue_managers, 'queue manager')}, "
    return _ok(f"{facts.path}, schema {facts.schema}, {managers}{size(facts.file_bytes)}")


def integrity(facts: Facts) -> list[Finding]:
    sentences = [f"the file is damaged: {each}" for each in facts.damage]
    sentences += [
        f"the definition of {type}({name}) of {qmgr} is damaged"
        for qmgr, type, name in facts.damaged_definitions
    ]
    for number, what in (
        (facts.messages_without_queue, "queue"),
        (facts.messages_without_unit, "unit of work"),
    ):
        if number:
            sentences.append(f"{quantity(number, 'message')} of a {what} that does not exist")
    faults = [_error(each, RESTORE) for each in sentences]
    faults += [_lost_reference(each) for each in facts.lost_references if each.number]
    return faults or _ok("every page, index and reference is sound")


# Rows that name one of another table which does not exist: what they are, and how they name it.
_IN_WORDS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("message", "handle"): (
        "message",
        "locked by a handle that does not exist, so no get or browse finds {them}",
    ),
    ("handle", "connection"): ("open handle", "of a connection that does not exist"),
    ("handle", "queue"): ("open handle", "of a queue that does not exist"),
    ("handle_path", "handle"): ("name resolution", "of a handle that does not exist"),
    ("handle_path", "queue"): ("name resolution", "through a queue that does not exist"),
    ("connection", "process"): ("connection", "of a program that is not registered"),
    ("queue", "queue_manager"): ("queue", "of a queue manager that does not exist"),
    ("object", "queue_manager"): ("definition", "of a queue manager that does not exist"),
}
# What `mqsc doctor --repair` does about those that it can repair without a loss.
_REPAIRED: Mapping[tuple[str, str], str] = {
    ("message", "handle"): "to release the locks",
    ("handle", "connection"): "to close the handles and back out the work of the connection",
    ("connection", "process"): "to back out the work of the connection and end it",
}


def _lost_reference(lost: LostReference) -> Finding:
    both = lost.table, lost.referenced
    noun, rest = _IN_WORDS[both]
    sentence = rest.format(them="it" if lost.number == 1 else "them")
    remedy = f"{REPAIR} {_REPAIRED[both]}" if both in _REPAIRED else RESTORE
    return _error(f"{quantity(lost.number, noun)} {sentence}", remedy)


def depth(facts: Facts) -> list[Finding]:
    return [
        _error(
            f"{each.qmgr} {each.queue}: CURDEPTH is {each.depth}, but the queue holds "
            f"{each.messages}",
            f"{REPAIR} to correct CURDEPTH",
        )
        for each in facts.wrong_depths
    ] or _ok("CURDEPTH of every queue is the number of its messages")


def history(facts: Facts) -> list[Finding]:
    """Numbers have no gap (design §2.3); the first events may have been archived and pruned."""
    # The counter too: it shows that the last events were removed.
    expected = max(facts.last_event, facts.event_counter) - facts.first_event + 1
    if facts.events != expected:
        return [
            _error(
                f"{quantity(expected - facts.events, 'event')} missing from the history",
                RESTORE,
            ),
        ]
    if facts.last_event > facts.event_counter:
        return [_error("numbers of events may be used twice", RESTORE)]
    if facts.first_event == 1:
        return _ok(f"{quantity(facts.events, 'event')}, numbered without a gap")
    removed = facts.first_event - 1
    return _ok(
        f"{quantity(facts.events, 'event')} after event {removed}, numbered without a gap; "
        f"{removed_events(removed)}, except {facts.events_left} that are still needed",
    )


def units(facts: Facts) -> list[Finding]:
    """A channel that runs puts a batch in doubt for a moment; without a program, nothing
    resolves it.
    """
    return [
        _advice(
            f"{each.qmgr}: {quantity(each.messages, 'message')} of {each.name} in doubt "
            f"({each.luwid})",
            f"start the channel {each.name}, which resolves it with its partner, or use RESOLVE "
            "CHANNEL",
        )
        for each in facts.in_doubt
        if not each.is_run
    ] or _ok("no unit of work is left in doubt")


def programs(facts: Facts) -> list[Finding]:
    if facts.dead_processes:
        dead = f"{quantity(facts.dead_processes, 'program')} ended without disconnecting"
        left = quantity(facts.dead_connections, "connection")
        return [_advice(f"{dead} and left {left}", f"{REPAIR}, or connect: the work is backed out")]
    connected = [
        f"{each} with {quantity(each.connections, 'connection')}" for each in facts.programs
    ]
    return _ok(f"in use by {', '.join(connected)}" if connected else "no program is connected")


def locks(facts: Facts) -> list[Finding]:
    if facts.blocking_writers is not None:
        blocked = f"the lock to write is not released by {_names(facts.blocking_writers)}"
        remedy = (
            "the program may be stopped (SIGSTOP) or in a debugger: continue it with `kill -CONT`, "
            "or end it"
        )
        return [_error(blocked, remedy)]
    held = [f"{name} by {program}" for name, program in facts.lock_holders]
    if held:
        return _ok(f"the lock to write is free; held: {', '.join(held)}")
    return _ok("the lock to write is free")


def log(facts: Facts) -> list[Finding]:
    length = size(facts.log_bytes)
    if not facts.log_is_copied:
        why = (
            f"the log ({length}) cannot be shortened, because {_names(facts.readers)} reads an old "
            "state"
        )
        return [_advice(why, "let that program finish its read, or end it")]
    if facts.log_bytes > facts.log_limit:
        return [_advice(f"the log takes {length}", f"{REPAIR} to truncate it")]
    return _ok(f"the log takes {length}")


def space(facts: Facts) -> list[Finding]:
    unused = f"{size(facts.free_pages * facts.page_bytes)} of the file hold no data"
    if facts.free_pages <= facts.kept_pages:
        return _ok(f"{unused}, ready for new messages")
    anew = " when no program uses the store (the file is then written anew)"
    return [
        _advice(
            unused,
            f"{REPAIR}; `mqsc serve` does so too" if facts.returns_pages else f"{REPAIR}{anew}",
        ),
    ]


def disk(facts: Facts) -> list[Finding]:
    free = f"{size(facts.disk_free)} free on the disk"
    if facts.disk_free >= max(64 * MEGABYTE, facts.file_bytes // 10):
        return _ok(free)
    found = _error if facts.disk_free < MEGABYTE else _advice
    return [
        found(
            free,
            "free space there, or get, clear or expire messages: that works on a full disk too",
        ),
    ]


def library(facts: Facts) -> list[Finding]:
    if facts.library_warning:
        return [_advice(facts.library_warning, "pip install pysqlite3")]
    return _ok(f"SQLite {facts.sqlite}")


# The contents of a damaged file prove nothing.
_OF_CONTENTS = (depth, history, units, programs)
# The checks of a store by name, in the order of the report.
_NAMED = (store, integrity, depth, history, units, programs, locks, log, space, disk)
CHECKS = (*((check.__name__, check) for check in _NAMED), ("sqlite", library))


def findings(facts: Facts) -> list[tuple[str, Finding]]:
    """The findings of every check, each with the name of the check."""
    checks = [
        (name, check) for name, check in CHECKS if not (facts.damage and check in _OF_CONTENTS)
    ]
    return [(name, finding) for name, check in checks for finding in check(facts)]
