"""What is measured every hour, and the bounds that it must keep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from tests.day_of_work.staff import Staff, Worker
from tests.day_of_work.world import HERE, THERE, Place

MEGABYTE = 1_000_000
# Bounds that always hold.
MOST_MEMORY = 200 * MEGABYTE
MOST_HANDLES = 60
MOST_LOG = 50 * MEGABYTE
# Programs, both ends of each channel and the locks of agents have files beside a store.
MOST_FILES = 40
# By how much the last third of a day may exceed the middle one. SQLite keeps up to 16 MB of pages
# for each connection, which follow the size of the store.
MORE_MEMORY = 8 * MEGABYTE
MORE_HANDLES = 2
MORE_STORE = 4 * MEGABYTE
# A shorter day is not examined for growth.
HOURS_TO_COMPARE = 9


class ProgramFigures(Struct, frozen=True):
    """Bytes of resident memory, open files, and which process it was."""

    name: str
    pid: int
    memory: int
    handles: int


class StoreFigures(Struct, frozen=True):
    """Bytes of the database file, the most bytes of its log during the hour, and how many files are
    in its folder.
    """

    name: str
    database: int
    log: int
    files: int


class Hour(Struct, frozen=True):
    """The figures at the end of an hour, after its chores."""

    number: int
    programs: tuple[ProgramFigures, ...]
    stores: tuple[StoreFigures, ...]
    temporary: tuple[str, ...]
    archive: int
    messages: int
    seconds: float


def program_figures(worker: Worker) -> ProgramFigures:
    status = Path(f"/proc/{worker.pid}/status").read_text().splitlines()
    (memory,) = (line.split()[1] for line in status if line.startswith("VmRSS:"))
    handles = len(list(Path(f"/proc/{worker.pid}/fd").iterdir()))
    return ProgramFigures(worker.name, worker.pid, int(memory) * 1024, handles)


def log_size(place: Place, store: str) -> int:
    """Bytes of SQLite's log now."""
    return size_of(Path(f"{place.store(store)}-wal"))


def store_figures(place: Place, store: str, log: int) -> StoreFigures:
    path = place.store(store)
    files = sum(each.is_file() for each in path.parent.rglob("*"))
    return StoreFigures(store, size_of(path), log, files)


def size_of(path: Path) -> int:
    """Bytes of a file, or of all files of a folder; 0 if it is not there."""
    if path.is_file():
        return path.stat().st_size
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


def hour_figures(
    number: int,
    place: Place,
    staff: Staff,
    logs: dict[str, int],
    *,
    messages: int,
    seconds: float,
) -> Hour:
    """Measure. `logs` has the most bytes of each log during the hour."""
    return Hour(
        number,
        tuple(program_figures(each) for each in staff.workers.values()),
        tuple(store_figures(place, store, logs[store]) for store in (HERE, THERE)),
        tuple(sorted(each.name for each in place.temporary.iterdir())),
        size_of(place.archive),
        messages,
        seconds,
    )


def excesses(hours: Sequence[Hour]) -> Iterator[str]:
    """What exceeds its bounds, in sentences."""
    for hour in hours:
        yield from _absolute(hour)
    if len(hours) < HOURS_TO_COMPARE:
        return
    third = len(hours) // 3
    middle, last = hours[third : 2 * third], hours[2 * third :]
    yield from _growth_of_programs(middle, last)
    yield from _growth_of_stores(middle, last)


def _absolute(hour: Hour) -> Iterator[str]:
    when = f"hour {hour.number}:"
    for program in hour.programs:
        if program.memory > MOST_MEMORY:
            yield f"{when} {program.name} takes {program.memory} bytes of memory"
        if program.handles > MOST_HANDLES:
            yield f"{when} {program.name} has {program.handles} files open"
    for store in hour.stores:
        if store.log > MOST_LOG:
            yield f"{when} the log of {store.name} took {store.log} bytes"
        if store.files > MOST_FILES:
            yield f"{when} {store.name} has {store.files} files"
    if hour.temporary:
        yield f"{when} temporary files are left: {', '.join(hour.temporary[:5])}"


def _growth_of_programs(middle: Sequence[Hour], last: Sequence[Hour]) -> Iterator[str]:
    """Only programs that lived through both thirds can have grown."""
    before, after = _by_process(middle), _by_process(last)
    for process, figures in after.items():
        if len(before.get(process, ())) < len(middle):
            continue
        name, _ = process
        more = max(each.memory for each in figures) - max(each.memory for each in before[process])
        if more > MORE_MEMORY:
            yield f"{name} grew by {more} bytes of memory"
        opened = max(each.handles for each in figures)
        opened -= max(each.handles for each in before[process])
        if opened > MORE_HANDLES:
            yield f"{name} has {opened} more files open"


def _by_process(hours: Sequence[Hour]) -> dict[tuple[str, int], list[ProgramFigures]]:
    found: dict[tuple[str, int], list[ProgramFigures]] = {}
    for hour in hours:
        for program in hour.programs:
            found.setdefault((program.name, program.pid), []).append(program)
    return found


def _growth_of_stores(middle: Sequence[Hour], last: Sequence[Hour]) -> Iterator[str]:
    for index, store in enumerate(last[0].stores):
        before = max(hour.stores[index].database for hour in middle)
        after = max(hour.stores[index].database for hour in last)
        if after - before > MORE_STORE:
            yield f"the file of {store.name} grew by {after - before} bytes"


HEADING = (
    "hour   put  memory MB (serve, handler, most)  handles  file MB  log MB  files  archive MB    s"
)


def line_of(hour: Hour) -> str:
    """The figures of an hour in a line below HEADING; of both stores, those of HERE first."""
    memory = {each.name: each.memory / MEGABYTE for each in hour.programs}
    most = max(memory.values())
    chosen = f"{memory['serve-here']:.0f} {memory['dead-letters']:.0f} {most:.0f}"
    handles = max(each.handles for each in hour.programs)
    files = " ".join(f"{each.database / MEGABYTE:.1f}" for each in hour.stores)
    logs = " ".join(f"{each.log / MEGABYTE:.1f}" for each in hour.stores)
    beside = " ".join(str(each.files) for each in hour.stores)
    archive = hour.archive / MEGABYTE
    return (
        f"{hour.number:4} {hour.messages:5}  {chosen:>34}  {handles:7}  {files:>7}  {logs:>6}"
        f"  {beside:>5}  {archive:10.1f} {hour.seconds:4.0f}"
    )
