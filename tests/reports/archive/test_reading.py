"""Reports from archives, alone and with live stores: each event once (archive §4); the process
that writes one.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import parquet  # type: ignore[import-untyped]

from mqsc import reports
from mqsc.agents.archiver import Archiver
from mqsc.reports.child_process import command_of, python_path
from mqsc.reports.errors import ReportError, ReportFailedError
from mqsc.reports.selection import select
from mqsc.reports.sources import Archived, sources
from mqsc.store.admin.archiving import archived_to
from mqsc.store.admin.expiry import refresh_expiry
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store, open_store
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import Environment
from mqsc.store.message import Message
from mqsc.store.published import EVENT, Bound
from tests.conftest import START
from tests.reports.parts import rows_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DAY = 86_400
Rows = list[tuple[Any, ...]]


def expire(qmgr: QueueManager, messages: int) -> None:
    """Let messages on the model queue's default expire, and discard them."""
    with qmgr.connect() as connection:
        queue = connection.open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.OUTPUT)
        queue.put([Message(b"x", MessageDescriptor(expiry=10)) for _ in range(messages)])
        queue.close()
    qmgr.store.environment.clock.advance(seconds=2)
    refresh_expiry(qmgr)


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[list[Store]]:
    """Two stores, each with a queue manager QM1, the second also with QM2."""
    made = []
    for number, names in enumerate((["QM1"], ["QM1", "QM2"])):
        environment = Environment.frozen(START + number)
        store = open_store(f"sqlite:///{tmp_path}/shop{number}.db", environment=environment)
        for name in names:
            expire(store.create_queue_manager(name), number + 1)
        made.append(store)
    yield made
    for store in made:
        store.close()


def read_by(live: Store | None) -> tuple[Path | None, Bound, Archived | None]:
    """What a report reads of a live store."""
    if live is None:
        return None, Bound(0, 0, {}), None
    assert live.path is not None
    return Path(live.path), live.bound(), Archived(*archived_to(live)[:2])


def made_from(tmp_path: Path, live: Store | None, *archives: str) -> list[reports.Result]:
    """The tables of a whole run."""
    path, bound, archived = read_by(live)
    return reports.run(
        ["expired-messages"],
        path,
        tmp_path / "out",
        bound=bound,
        archives=archives,
        archived=archived,
    )


def archive(store: Store, url: str, *, most: int = 30, keep: int = 0) -> None:
    with Archiver(store, url, most=most) as archiver:
        assert all(each.rows for each in archiver.archive())
        archiver.prune(keep)


def test_each_event_is_read_once_from_archives_and_the_live_store(
    spark: SparkSession,
    tmp_path: Path,
    stores: list[Store],
) -> None:
    first, second = stores

    def expired(live: Store | None, *archives: str, **selected: Any) -> Rows:
        path, bound, archived = read_by(live)
        read = sources(path, bound, archives, archived)
        return rows_of(
            spark,
            "expired-messages",
            "expired",
            "qmgr hour messages",
            read,
            select(**selected),
        )

    url = str(tmp_path / "an archive [1] {x} 100%")
    at_first = expired(first)
    assert [row[2] for row in at_first] == [1]
    archive(first, url, keep=1 << 60)
    # All events are both in the archive and in the store.
    assert (expired(first, url), expired(None, url, url)) == (at_first, at_first)
    archive(first, url)
    assert (expired(first), expired(first, url)) == ([], at_first)
    # What happens afterwards is read from the live store.
    first.environment.clock.advance(seconds=DAY)
    expire(first.queue_manager("QM1"), 5)
    both = expired(first, url)
    assert ([row[2] for row in both], expired(None, url)) == ([1, 5], at_first)
    archive(first, url)
    assert expired(None, url) == both
    assert expired(None, url, since="2023-11-15") == both[1:]
    assert expired(None, url, until="2023-11-15") == both[:1]
    # Queue managers of the same name are told apart by their stores.
    archive(second, url)
    of_all = [("QM1@shop0", 1), ("QM1@shop0", 5), ("QM1@shop1", 2), ("QM2", 2)]
    assert [(row[0], row[2]) for row in expired(None, url)] == of_all
    assert [(row[0], row[2]) for row in expired(second, url)] == of_all
    assert made_from(tmp_path, second, url)[0].rows_written == len(of_all)
    assert [row[2] for row in expired(None, url, qmgrs=["QM2"])] == [2]


@pytest.mark.usefixtures("spark")
def test_a_file_that_was_changed_or_is_missing(tmp_path: Path, stores: list[Store]) -> None:
    archive(stores[0], str(tmp_path / "archive"), most=1_000_000)
    (file,) = (tmp_path / "archive").glob("*/day=*/*.parquet")
    group = parquet.read_metadata(file).row_group(0)
    queue = group.column([each.name for each in EVENT.columns].index("queue"))
    # The last byte of its data.
    begin = queue.dictionary_page_offset or queue.data_page_offset
    content = bytearray(file.read_bytes())
    content[begin + queue.total_compressed_size - 1] ^= 0xFF
    file.write_bytes(content)
    with pytest.raises(ReportFailedError, match=rf"the file {file} was changed, or cannot be read"):
        made_from(tmp_path, None, str(tmp_path / "archive"))
    # Spark reads an empty file as one without rows.
    file.write_bytes(b"")
    with pytest.raises(
        ReportFailedError,
        match=rf"the file {file} was changed: it has 0 bytes, committed were",
    ):
        made_from(tmp_path, None, str(tmp_path / "archive"))
    file.unlink()
    with pytest.raises(ReportFailedError, match=rf"the file {file} is missing"):
        made_from(tmp_path, None, str(tmp_path / "archive"))
    (commit,) = (tmp_path / "archive").glob("*/_commits/*")
    commit.unlink()
    with pytest.raises(
        ReportError,
        match=r"no event has been archived to .* yet: it has no commit file",
    ):
        made_from(tmp_path, None, str(tmp_path / "archive"))


def test_an_archive_without_the_events_that_were_pruned(
    tmp_path: Path,
    stores: list[Store],
) -> None:
    first, second = stores
    archive(first, str(tmp_path / "archive"))
    archive(second, str(tmp_path / "other"), keep=1 << 60)
    says = r"shop0\.db has pruned its events up to \d+, but .*other has them only up to 0"
    with pytest.raises(ReportError, match=says):
        made_from(tmp_path, first, str(tmp_path / "other"))
    with pytest.raises(ReportError, match=r"there is no archive at .*nowhere"):
        made_from(tmp_path, None, str(tmp_path / "nowhere"))


def test_a_store_that_was_restored_from_before_the_archive(
    tmp_path: Path,
    stores: list[Store],
) -> None:
    first = stores[0]
    path, bound, before = read_by(first)
    url = str(tmp_path / "archive")
    archive(first, url, keep=1 << 60)
    assert before is not None
    last = first.bound().seq
    restored = sources(path, bound, [url], before._replace(last=0))
    assert [doubt.partition(":")[0] for doubt in restored.doubts] == [
        f"the archive has events of this store up to {last}, but the store archived only up to 0"
    ]
    assert sources(path, bound, [url], before._replace(last=last)).doubts == ()


def test_a_request_that_was_never_written_ends_it_silently() -> None:
    command, environment = (
        command_of("mqsc.reports.archive.worker"),
        {**os.environ, "PYTHONPATH": python_path()},
    )
    ended = subprocess.run(
        command,
        input=b'{"path": ',
        capture_output=True,
        env=environment,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")
