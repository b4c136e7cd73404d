"""Certificates: what they prove of a store and its archive, and what a change of either gives."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mqsc.agents.archiver import Archiver
from reports.certificate import Checked, LiveStore, Part, archived_parts, certificate, checked, live_part, read
from reports.errors import ArchiveError
from store.admin.archiving import archived_to
from store.client.api import Store, open_store
from store.environment import Environment
from store.message import Message
from tests.conftest import START


def put(store: Store, number: int) -> None:
    with store.queue_manager().connect() as connection:
        for _ in range(number):
            connection.put1("SYSTEM.DEFAULT.LOCAL.QUEUE", Message(b"x"))


def archive(store: Store, url: str) -> None:
    with Archiver(store, url) as archiver:
        list(archiver.archive())
        archiver.prune(0)


def live(store: Store) -> LiveStore:
    uuid, pruned, _ = archived_to(store)
    return LiveStore(Path(str(store.path)), uuid, pruned, store.bound().seq)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, list[Part], LiveStore]:
    """A store that was audited with its archive, and archived again afterwards: file, archive, parts, store now."""
    tmp_path = tmp_path_factory.mktemp("shop")
    url = str(tmp_path / "archive")
    path = tmp_path / "shop.db"
    with open_store(f"sqlite:///{path}", Environment.frozen(START)) as store:
        store.create_queue_manager("QM1")
        put(store, 2)
        archive(store, url)
        put(store, 3)
        was = live(store)
    parts, wrong = archived_parts(url)
    assert wrong == []
    parts.append(live_part(was, parts[0].last))
    text = certificate(parts, [], [], "2026-01-01T00:00:00Z", "1")
    (tmp_path / "certificate.json").write_text(text, "utf-8")
    assert checked(parts, None, was) == Checked([], [str(parts[1])], [str(parts[0])])
    with open_store(f"sqlite:///{path}", Environment.frozen(START)) as store:
        put(store, 1)
        archive(store, url)
        now = live(store)
    return tmp_path, url, read(tmp_path / "certificate.json")["parts"], now


def test_events_are_found_where_they_are_now(shop: tuple[Path, str, list[Part], LiveStore]) -> None:
    _, url, parts, now = shop
    assert checked(parts, url, None) == Checked([], [*map(str, parts)], [])
    assert checked(parts, url, now) == Checked([], [*map(str, parts)], [])
    assert checked(parts, None, now._replace(pruned=now.last)) == Checked([], [], [*map(str, parts)])


def test_an_archive_that_was_changed(shop: tuple[Path, str, list[Part], LiveStore], tmp_path: Path) -> None:
    _, there, parts, _ = shop
    url = str(tmp_path / "copy")
    shutil.copytree(there, url)
    file = next(Path(url).glob("store=*/day=*/*.parquet"))
    content = bytearray(file.read_bytes())
    content[300] ^= 1
    file.chmod(0o600)
    file.write_bytes(content)
    (fault,) = checked(parts, url, None).faults
    assert fault == f"{file}: the file was changed: its hash differs from the one that was committed"
    assert archived_parts(url) == ([], [fault])


def test_other_events_than_those_that_were_audited(shop: tuple[Path, str, list[Part], LiveStore]) -> None:
    _, url, parts, _ = shop
    others = [each._replace(proof="0" * 64) for each in parts]
    assert checked(others, url, None).faults == [f"{each} are not those that were audited" for each in parts]


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ('"last": 1', '"last": 2', "was changed after it was made"),
        ('"format": 1', '"format": 2', "has the format 2"),
        ('"parts"', '"part"', "is not a certificate"),
        ('"first"', '"start"', "is not a certificate"),
        ("{", "", "is not a certificate"),
    ],
)
def test_a_certificate_that_was_changed(
    shop: tuple[Path, str, list[Part], LiveStore], tmp_path: Path, before: str, after: str, why: str
) -> None:
    text = (shop[0] / "certificate.json").read_text("utf-8")
    assert before in text
    path = tmp_path / "certificate.json"
    path.write_text(text.replace(before, after), "utf-8")
    with pytest.raises(ArchiveError, match=why):
        read(path)
