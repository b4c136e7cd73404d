"""Which tests use the Spark session that all of them share, so that one worker of xdist runs them.

The process that distributes the tests knows only their names; hence this reads their files.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

SESSION = "spark"
# How a test asks for fixtures that are no parameters.
USE_FIXTURES = "usefixtures"


@cache
def users_of_spark(file: Path) -> frozenset[str]:
    """The functions of a file of tests, and of the conftest.py beside it, that use the session
    themselves or through a fixture.
    """
    beside = file.with_name("conftest.py")
    texts = [each.read_text("utf-8") for each in (beside, file) if each.is_file()]
    # Parsing every file would take seconds.
    if not any(SESSION in text for text in texts):
        return frozenset()
    fixtures: dict[str, set[str]] = {}
    for text in texts:
        fixtures |= _fixtures_by_function(text)
    users = {SESSION}
    while more := _that_ask_for(users, fixtures) - users:
        users |= more
    return frozenset(users)


def has_tests_with_spark(file: Path) -> bool:
    """Whether a test of the file uses the session."""
    return any(each.startswith("test_") for each in users_of_spark(file))


def _that_ask_for(users: set[str], fixtures: Mapping[str, set[str]]) -> set[str]:
    return {name for name, asked in fixtures.items() if asked & users}


def _fixtures_by_function(text: str) -> dict[str, set[str]]:
    """The fixtures that each function asks for."""
    functions = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    return {each.name: _parameters(each) | _used_fixtures(each) for each in functions}


def _parameters(function: ast.FunctionDef) -> set[str]:
    given = function.args
    return {each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


def _used_fixtures(function: ast.FunctionDef) -> set[str]:
    calls = [each for each in function.decorator_list if isinstance(each, ast.Call)]
    marks = [each for each in calls if USE_FIXTURES in ast.unparse(each.func)]
    return {ast.unparse(argument).strip("'") for mark in marks for argument in mark.args}
