"""The names that commands call are loaded when they are first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

import store.admin


def test_every_name_is_where_the_package_says() -> None:
    assert [name for name in store.admin.__all__ if not callable(getattr(store.admin, name))] == []
    assert sorted(store.admin.__all__) == store.admin.__all__
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        store.admin.nothing  # noqa: B018


def test_one_name_loads_only_its_own_subject() -> None:
    program = (
        "import store.admin, sys; store.admin.clear; print(*sorted(m for m in sys.modules if 'store.admin.' in m))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["store.admin.clearing"]
