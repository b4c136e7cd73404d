"""The statements that were compiled in advance are those that the modules hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from store.sql.compile_statements import content, statements
from store.sqlite import known_texts
from store.sqlite.expressions import text
from store.sqlite.known_texts import FILE, known_text
from store.sqlite.statement import Statement


def test_the_file_is_up_to_date() -> None:
    assert FILE.read_text(encoding="utf-8") == content(), "run: python -m store.sql.compile_statements"


def test_each_statement_is_found() -> None:
    found = [known_text(each.core) for each in statements()]
    assert None not in found
    assert len(found) > 200


@pytest.mark.parametrize("change", ["tables", "damaged", "missing"])
def test_a_file_that_does_not_fit_the_tables_is_not_used(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "known_texts.json"
    if change == "tables":
        before = json.loads(FILE.read_text(encoding="utf-8"))
        before["depends_on"]["sql/schema.py"] = "0"
        file.write_text(json.dumps(before), encoding="utf-8")
    elif change == "damaged":
        file.write_text("{", encoding="utf-8")
    monkeypatch.setattr(known_texts, "FILE", file)
    known_texts._known.cache_clear()
    try:
        assert known_text(next(statements()).core) is None
        assert Statement(text("SELECT :one"), "one").text == "SELECT ?"
    finally:
        known_texts._known.cache_clear()
