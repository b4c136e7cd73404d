"""What every file keeps to: short, finished, documented, and with a test of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.source import FUNCTIONS, MODULES, ROOT, Module

LONGEST_FILE = 350


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.path.relative_to(ROOT)))
def test_no_file_is_long(module: Module) -> None:
    assert len(module.source.splitlines()) <= LONGEST_FILE


def test_nothing_is_left_for_later() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")
    left = [
        f"{module.at(number)} {line.strip()}"
        for module in MODULES
        for number, line in enumerate(module.source.splitlines(), 1)
        if marks.search(line)
    ]
    assert left == []


def test_no_failure_is_swallowed() -> None:
    swallowed = [
        module.at(node.lineno)
        for module in MODULES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (catches_everything(node.type) and does_nothing(node.body)))
    ]
    assert swallowed == []


def catches_everything(caught: ast.expr) -> bool:
    return isinstance(caught, ast.Name) and caught.id in ("Exception", "BaseException")


def does_nothing(body: list[ast.stmt]) -> bool:
    return all(isinstance(each, ast.Pass) for each in body)


def test_everything_public_says_what_it_promises() -> None:
    silent = [
        f"{module.at(getattr(node, 'lineno', 1))} {getattr(node, 'name', module.name)}"
        for module in MODULES
        for node in public(module.tree)
        if not ast.get_docstring(node)
    ]
    assert silent == []


Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public(tree: ast.Module) -> Iterator[Documented]:
    """The module, its public functions and classes, and their public methods; what a Protocol promises, it alone."""
    if tree.body:
        yield tree
    shown = [each for each in tree.body if isinstance(each, (ast.ClassDef, *FUNCTIONS)) and each.name[0] != "_"]
    yield from shown
    classes = [each for each in shown if isinstance(each, ast.ClassDef)]
    promised = {method.name for each in classes if is_protocol(each) for method in methods(each)}
    for each in classes:
        yield from (method for method in methods(each) if is_protocol(each) or method.name not in promised)


def is_protocol(node: ast.ClassDef) -> bool:
    return any(getattr(base, "id", "") == "Protocol" for base in node.bases)


def methods(node: ast.ClassDef) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The public methods of a class, each once."""
    return [each for each in node.body if isinstance(each, FUNCTIONS) and each.name[0] != "_" and not is_overload(each)]


def is_overload(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    decorators = {getattr(each, "id", getattr(each, "attr", "")) for each in function.decorator_list}
    return not decorators.isdisjoint({"overload", "setter"})
