"""Runs the cases of a report's tests: each module has REPORT and CASES, and its `test_cases`
compares the answers.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PySparkException

from mqsc.reports.settings import INTERPRETED
from tests.reports.tables import Answer, answers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if {"table", "case"} <= set(metafunc.fixturenames):
        tables = metafunc.module.CASES.items()
        metafunc.parametrize(
            ("table", "case"),
            [(table, case) for table, (_, cases) in tables for case in cases],
        )


@pytest.fixture(scope="module")
def found(request: pytest.FixtureRequest, spark: SparkSession) -> dict[tuple[str, str], Answer]:
    """The answers to all cases of the module, computed in one run, and compiled as for a store
    with many events.
    """
    for name in INTERPRETED:
        spark.conf.unset(name)
    try:
        try:
            return answers(spark, request.module.REPORT, request.module.CASES)
        except (Py4JJavaError, PySparkException) as error:
            # Once in many runs Spark 4.3 failed to compile a plan that it compiled before and
            # after.
            warnings.warn(f"once more, after {str(error)[:2000]}", stacklevel=1)
            return answers(spark, request.module.REPORT, request.module.CASES)
    finally:
        for name, value in INTERPRETED.items():
            spark.conf.set(name, value)
