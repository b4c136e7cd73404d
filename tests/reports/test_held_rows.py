"""Rows of a small store, read by a process of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.errors import ReportFailedError
from reports.held_rows import ARROW_TYPES, KeyRange, held_rows
from store.published import RELATIONS
from tests.reports.history import event, expire, message, write_history


def test_the_rows_of_each_range_have_every_column_with_its_type(tmp_path: Path) -> None:
    path = str(write_history(tmp_path / "store.db", [event("PUT"), expire("Ä"), event("GET")], [message("B")]))
    ranges = [KeyRange("event", path, 1, 2), KeyRange("pending", path, 0, 1), KeyRange("event", path, 3, 3)]
    events, pending, nothing = held_rows(Path(path), ranges)
    assert [(row["seq"], row["queue"], row["cause"]) for row in events.to_pylist()] == [(2, "Ä", "get")]
    assert [(row["id"], row["queue"], row["msg_id"]) for row in pending.to_pylist()] == [(1, "B", bytes(24))]
    assert nothing.num_rows == 0
    for relation, rows in (("event", events), ("pending", pending), ("event", nothing)):
        declared = [(column.name, ARROW_TYPES[column.type]) for column in RELATIONS[relation].columns]
        assert list(zip(rows.schema.names, rows.schema.types, strict=True)) == declared


def test_a_folder_with_modules_of_the_same_names_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_history(tmp_path / "a b?mode=rw#%41.db", [event("PUT")])
    for package in ("reports", "store", "json"):
        (tmp_path / f"{package}.py").write_text("raise SystemExit('the wrong module')", "utf-8")
    monkeypatch.chdir(tmp_path)
    before = path.read_bytes()
    (rows,) = held_rows(path, [KeyRange("event", str(path), 0, 1)])
    assert rows["kind"].to_pylist() == ["PUT"]
    assert path.read_bytes() == before


def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    path, copy = tmp_path / "store.db", tmp_path / "copy.db"
    copy.write_bytes(b"this is no database" * 100)
    with pytest.raises(ReportFailedError) as caught:
        held_rows(path, [KeyRange("event", str(copy), 0, 1)])
    assert str(caught.value) == f"the store {path} cannot be read: file is not a database"
