"""Opening a store by its URL."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.client.api import open_store
from store.error import StoreError


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_store_in_memory_has_no_file(url: str) -> None:
    with open_store(url) as store:
        assert store.path is None


def test_a_relative_path_and_a_tilde_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    for url in ("sqlite:///a.db", "sqlite:///~/a.db", f"sqlite:///{tmp_path}/a.db"):
        with open_store(url) as store:
            assert store.path == str(tmp_path / "a.db")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("orders.db", "'orders.db' is not the address of a store; write sqlite:///PATH"),
        ("", "'' is not the address of a store"),
        ("postgresql://host/db", "write sqlite:///PATH, not postgresql://"),
    ],
)
def test_an_address_that_is_not_a_store(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said):
        open_store(url)


def test_a_missing_store_is_created_only_if_asked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with pytest.raises(StoreError, match="there is no store at"):
        open_store(url, create=False)
    assert [*tmp_path.iterdir()] == []
    open_store(url).close()
    open_store(url, create=False).close()
