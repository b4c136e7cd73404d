"""Certificates: what they prove of a store and its archive, and what a change of either gives."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mqsc.agents.archiver import Archiver
from mqsc.reports.certificate import (
    Checked,
    LiveStore,
    Part,
    archived_parts,
    certificate,
    checked,
    key_in,
    live_part,
    read,
)
from mqsc.reports.errors import ArchiveError
from mqsc.store.admin.archiving import archived_to
from mqsc.store.client.store import Store, open_store
from mqsc.store.environment import Environment
from mqsc.store.message import Message
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
    """A store that was audited with its archive, and archived again afterwards: file, archive,
    parts, store now.
    """
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
    part = live_part(was, parts[0].last)
    assert part is not None
    parts.append(part)
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
    assert checked(parts, None, now._replace(pruned=now.last)) == Checked(
        [],
        [],
        [*map(str, parts)],
    )


def test_an_archive_that_was_changed(
    shop: tuple[Path, str, list[Part], LiveStore],
    tmp_path: Path,
) -> None:
    _, there, parts, _ = shop
    url = str(tmp_path / "copy")
    shutil.copytree(there, url)
    file = next(Path(url).glob("store=*/day=*/*.parquet"))
    content = bytearray(file.read_bytes())
    content[300] ^= 1
    file.chmod(0o600)
    file.write_bytes(content)
    (fault,) = checked(parts, url, None).faults
    assert (
        fault == f"{file}: the file was changed: its hash differs from the one that was committed"
    )
    assert archived_parts(url) == ([], [fault])


def test_other_events_than_those_that_were_audited(
    shop: tuple[Path, str, list[Part], LiveStore],
) -> None:
    _, url, parts, _ = shop
    others = [each._replace(proof="0" * 64) for each in parts]
    assert checked(others, url, None).faults == [
        f"{each} are not those that were reconciled" for each in parts
    ]


def test_a_store_without_events_is_no_part(shop: tuple[Path, str, list[Part], LiveStore]) -> None:
    _, url, _, now = shop
    (archived,), _ = archived_parts(url)
    assert live_part(now, archived.last) is None
    # If all of the history was pruned, the last event of the store comes before that of the
    # archive.
    assert live_part(now._replace(last=archived.last - 10), archived.last) is None


@pytest.mark.parametrize(("first", "last"), [(106, 95), (1, 0), (0, 3)])
def test_a_certificate_of_no_events(tmp_path: Path, first: int, last: int) -> None:
    path = tmp_path / "certificate.json"
    parts = [Part("1", "shop.db", first, last, False, "")]
    path.write_text(certificate(parts, [], [], "2026-01-01T00:00:00Z", "1"), "utf-8")
    with pytest.raises(
        ArchiveError,
        match=f"has a part without events \\({first} to {last} of shop.db\\)",
    ):
        read(path)


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
    shop: tuple[Path, str, list[Part], LiveStore],
    tmp_path: Path,
    before: str,
    after: str,
    why: str,
) -> None:
    text = (shop[0] / "certificate.json").read_text("utf-8")
    assert before in text
    path = tmp_path / "certificate.json"
    path.write_text(text.replace(before, after), "utf-8")
    with pytest.raises(ArchiveError, match=why):
        read(path)


def _changed(value: Any) -> Iterator[Any]:
    """The value with one change, for every place in it where there is one: a field less, more or
    different.
    """
    if isinstance(value, dict):
        yield {**value, "more": 1}
        for name, each in value.items():
            yield {word: other for word, other in value.items() if word != name}
            for changed in _changed(each):
                yield {**value, name: changed}
    elif isinstance(value, list):
        yield [*value, 1]
        for place, each in enumerate(value):
            yield value[:place] + value[place + 1 :]
            for changed in _changed(each):
                yield [*value[:place], changed, *value[place + 1 :]]
    else:
        yield value + 1 if isinstance(value, int) else f"{value}0"


KEY = b"\1" * 16


def test_no_field_can_be_changed(
    shop: tuple[Path, str, list[Part], LiveStore],
    tmp_path: Path,
) -> None:
    sums = [{"queue": "A", "put": 3, "fits": True}]
    found = [{"what": "is there 2 times", "events": [1, 2]}]
    text, path = (
        certificate(shop[2], sums, found, "2026-01-01T00:00:00Z", "1", KEY),
        tmp_path / "certificate.json",
    )
    path.write_text(text, "utf-8")
    assert read(path, KEY)["findings"] == found
    rows = json.loads(text)
    every = [*_changed(rows)]
    assert len(every) > 50
    for each in every:
        path.write_text(json.dumps(each), "utf-8")
        with pytest.raises(ArchiveError):
            read(path, KEY)


def test_another_certificate_with_a_hash_that_fits_needs_the_key(
    shop: tuple[Path, str, list[Part], LiveStore],
    tmp_path: Path,
) -> None:
    for made_with, why in ((b"", "is not signed"), (b"\2" * 16, "was not signed with that key")):
        path = tmp_path / "certificate.json"
        path.write_text(
            certificate(shop[2], [], [], "2026-01-01T00:00:00Z", "1", made_with),
            "utf-8",
        )
        assert bool(read(path)["hmac"]) is bool(made_with)
        with pytest.raises(ArchiveError, match=why):
            read(path, KEY)


def test_keys(tmp_path: Path) -> None:
    file = tmp_path / "key"
    with pytest.raises(ArchiveError, match="No such file"):
        key_in(file)
    file.write_bytes(KEY[1:])
    with pytest.raises(ArchiveError, match="has 15 bytes"):
        key_in(file)
    file.write_bytes(KEY)
    assert key_in(file) == KEY
