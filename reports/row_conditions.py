"""Conditions on columns of Arrow tables. NULL meets none of them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]


def equals(values: pa.ChunkedArray, value: Any) -> pa.ChunkedArray:
    return pc.fill_null(pc.equal(values, value), fill_value=False)


def is_in(values: pa.ChunkedArray, listed: Iterable[Any]) -> pa.ChunkedArray:
    known = listed if isinstance(listed, pa.Array) else pa.array(listed, values.type)
    return pc.is_in(values, value_set=known, skip_nulls=True)


def has(texts: pa.ChunkedArray, pattern: str) -> pa.ChunkedArray:
    """Whether each text contains a regular expression."""
    return pc.fill_null(pc.match_substring_regex(texts, pattern), fill_value=False)


def found(texts: pa.ChunkedArray, pattern: str) -> pa.ChunkedArray:
    """The group `text` of the regular expression in each text; NULL if there is none."""
    return pc.struct_field(pc.extract_regex(texts, pattern), "text")


def both(*conditions: Any) -> Any:
    return reduce(pc.and_, conditions)


def either(*conditions: Any) -> Any:
    return reduce(pc.or_, conditions)


def neither(*conditions: Any) -> Any:
    return pc.invert(either(*conditions))
