"""Which tests are sent to the worker with the Spark session."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import scope_of
from tests.spark_users import SESSION, has_tests_with_spark, users_of_spark

FIXTURES = """
@pytest.fixture(scope="module")
def found(spark): ...
"""
TESTS = """
@pytest.fixture
def table(found): ...

def test_by_a_parameter(tmp_path, spark): ...

@pytest.mark.usefixtures("spark")
def test_by_a_mark(tmp_path): ...

def test_through_fixtures(table): ...

def test_alone(tmp_path): ...
"""
SHARES = '@pytest.fixture(scope="module")\ndef shared(): ...\n'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(FIXTURES)
    file = tmp_path / "test_x.py"
    file.write_text(TESTS)
    return file


def test_tests_use_the_session_themselves_or_through_fixtures(file: Path) -> None:
    assert {each for each in users_of_spark(file) if each.startswith("test_")} == {
        *("test_by_a_parameter", "test_by_a_mark", "test_through_fixtures"),
    }


def test_a_file_may_have_none(tmp_path: Path) -> None:
    file = tmp_path / "test_x.py"
    file.write_text("def test_of_sparks(tmp_path): ...\n")
    assert not has_tests_with_spark(file)


def test_other_tests_of_the_file_are_sent_anywhere(file: Path) -> None:
    scopes = {
        name: scope_of(file.parent, f"test_x.py::{name}")
        for name in ("test_by_a_mark[1]", "test_alone[1]")
    }
    assert scopes == {"test_by_a_mark[1]": SESSION, "test_alone[1]": "test_x.py::test_alone[1]"}


def test_other_tests_stay_if_they_share_a_fixture(file: Path) -> None:
    file.write_text(SHARES + TESTS)
    assert scope_of(file.parent, "test_x.py::test_alone") == SESSION
