"""Integers in both byte orders, for tests of headers."""

from __future__ import annotations

import pytest


def little(value: int) -> bytes:
    return value.to_bytes(4, "little", signed=True)


def big(value: int) -> bytes:
    return value.to_bytes(4, "big", signed=True)


BOTH = pytest.mark.parametrize(("encoding", "i"), [(546, little), (273, big)])
