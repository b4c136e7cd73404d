"""Rules for every source file: nothing is unfinished, no failure is swallowed, and the public
API is documented.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import FunctionType, ModuleType

import mqsc
from mqsc import store
from mqsc.store import constants
from mqsc.store.constants import MQRC
from tests.source import MODULES, within

FAMILIES = {name: getattr(constants, name) for name in dir(constants) if name.startswith("MQ")}
REASONS = frozenset(int(reason) for reason in MQRC if reason < 2600)


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
        for node in module.nodes
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (catches_everything(node.type) and does_nothing(node.body)))
    ]
    assert swallowed == []


def catches_everything(caught: ast.expr) -> bool:
    return isinstance(caught, ast.Name) and caught.id in ("Exception", "BaseException")


def does_nothing(body: list[ast.stmt]) -> bool:
    return all(isinstance(each, ast.Pass) for each in body)


def test_an_assignment_says_one_thing() -> None:
    packed = [
        module.at(node.lineno)
        for module in MODULES
        for node in module.nodes
        if isinstance(node, ast.Assign) and assigns_several(node) and takes_reading(node)
    ]
    assert packed == []


def assigns_several(node: ast.Assign) -> bool:
    """Whether several values are written down, each for a name of its own."""
    return isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple)


def takes_reading(node: ast.Assign) -> bool:
    is_long = isinstance(node.value, ast.Tuple) and len(node.value.elts) > 2
    return is_long or node.end_lineno != node.lineno


def test_conditional_expressions_are_not_nested() -> None:
    """A chain of `a if b else c if d else e` is an if statement, or a function with a name."""
    nested = [
        module.at(node.lineno)
        for module in MODULES
        for node in module.nodes
        if isinstance(node, ast.IfExp) and any(is_conditional(part) for part in parts_of(node))
    ]
    assert nested == []


def parts_of(node: ast.IfExp) -> Iterator[ast.AST]:
    """Everything inside the expression."""
    return (part for part in ast.walk(node) if part is not node)


def is_conditional(node: ast.AST) -> bool:
    return isinstance(node, ast.IfExp)


def test_a_number_of_mq_that_is_written_down_has_the_name_that_mq_gives_it() -> None:
    """Modules that every command loads write some numbers, since a large family such as MQIACF
    takes time to make.
    """
    wrong = [
        f"{module.path.name}: {name} = {number}"
        for module in MODULES
        if not within(module.name, "store.constants")
        for name, number in numbers_at_the_top(module.tree)
        if not is_named_as_in_mq(name, number)
    ]
    assert wrong == []


def numbers_at_the_top(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names that the module gives to whole numbers, alone or several in one statement."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            target, value = statement.targets[0], statement.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = [*zip(target.elts, value.elts, strict=True)]
            for name, each in pairs:
                if (
                    isinstance(name, ast.Name)
                    and isinstance(each, ast.Constant)
                    and type(each.value) is int
                ):
                    yield name.id, each.value


def is_named_as_in_mq(name: str, number: int) -> bool:
    family, _, rest = name.partition("_")
    if family in FAMILIES:
        return int(getattr(FAMILIES[family], rest)) == number
    if name in MQRC.__members__:
        return int(MQRC[name]) == number
    is_power_of_two = number & (number - 1) == 0
    return is_power_of_two or number not in REASONS


def test_every_module_has_a_docstring() -> None:
    assert [
        module.name
        for module in MODULES
        if module.tree.body
        and not ast.get_docstring(module.tree)
        and not within(module.name, "store.constants")  # the class says it
    ] == []


def test_the_public_api_is_documented() -> None:
    silent = [
        name
        for package in (mqsc, store)
        for name, value in public_values(package)
        for name, value in [(name, value), *public_methods(name, value)]
        if callable(value) and not docstring(value)
    ]
    assert silent == []


def docstring(value: object) -> str | None:
    """Return the docstring written for an object, ignoring inherited ones and those generated
    for dataclasses.
    """
    text = vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__
    return (
        None if text is None or text.startswith(f"{getattr(value, '__name__', '')}(") else str(text)
    )


def public_values(package: ModuleType) -> Iterator[tuple[str, object]]:
    return ((f"{package.__name__}.{name}", getattr(package, name)) for name in package.__all__)


def public_methods(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Yield the public methods and properties that a class itself defines; nothing for other
    values.
    """
    for method, defined in vars(value).items() if inspect.isclass(value) else ():
        if method[0] != "_" and isinstance(
            defined,
            FunctionType | classmethod | staticmethod | property,
        ):
            yield (
                f"{name}.{method}",
                defined.fget if isinstance(defined, property) else getattr(value, method),
            )
