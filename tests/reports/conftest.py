"""One Spark session for all tests of reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A session as reports start it."""
    from reports.session import session

    with session("local[2]") as started:
        yield started
