"""The one-line mutants of a source file: where a small change is possible, and the changed text.

Only code inside functions is changed, and numbers at module level: anything else fails at import
and measures nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

# Each comparison as it is written, and the one that replaces it.
COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
# Each comparison of two sizes, and the one that looks the other way.
TURNED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", ">"),
    ast.LtE: ("<=", ">="),
    ast.Gt: (">", "<"),
    ast.GtE: (">=", "<="),
}
ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change of one line: `start` and `end` are character positions in the file, `new`
    replaces what is between.
    """

    path: str
    line: int
    operator: str
    start: int
    end: int
    new: str

    def apply(self, source: str) -> str:
        """The source with the change."""
        return source[: self.start] + self.new + source[self.end :]


def mutants_of(path: str, source: str) -> list[Mutant]:
    """Every mutant of a file whose source is still valid Python."""
    found = _Finder(path, source).mutants()
    return [each for each in found if _is_valid(each.apply(source))]


def _is_valid(source: str) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


class _Finder:
    def __init__(self, path: str, source: str) -> None:
        self._path = path
        self._source = source
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        for node in ast.parse(self._source).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                yield from self._definition(node)
            elif isinstance(node, ast.Assign):
                yield from self._numbers(node.value)

    def _definition(
        self,
        node: ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef,
    ) -> Iterator[Mutant]:
        for statement in node.body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                yield from self._definition(statement)
            elif not isinstance(node, ast.ClassDef):
                yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Mutant]:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return
        yield from self._removal(statement)
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                yield from self._statement(child)
            elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                for inner in child.body:
                    yield from self._statement(inner)
            elif isinstance(child, ast.expr) and child is not getattr(
                statement,
                "annotation",
                None,
            ):
                yield from self._expression(child)
        if isinstance(statement, ast.Return) and not isinstance(
            statement.value,
            (ast.Constant, type(None)),
        ):
            yield from self._change(statement.value, "return None", "None")
        if isinstance(statement, (ast.If, ast.While)):
            yield from self._negation(statement.test)

    def _removal(self, statement: ast.stmt) -> Iterator[Mutant]:
        """Statements whose removal leaves every name defined."""
        removable = isinstance(
            statement,
            (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete),
        )
        if isinstance(statement, ast.Assign):
            removable = all(
                isinstance(target, (ast.Attribute, ast.Subscript)) for target in statement.targets
            )
        if removable:
            yield from self._change(statement, "removed statement", "pass")

    def _expression(self, root: ast.expr) -> Iterator[Mutant]:
        for node in ast.walk(root):
            if isinstance(node, ast.Compare):
                yield from self._comparison(node)
            elif isinstance(node, ast.BoolOp):
                yield from self._boolean(node)
                yield from self._dropped_conditions(node)
            elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
                old, new = ARITHMETIC[type(node.op)]
                yield from self._between(node.left, node.right, "arithmetic", old, new)
            elif isinstance(node, ast.Call):
                yield from self._swapped_arguments(node)
                yield from self._missing_call(node)
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
                yield from self._without_not(node)
            elif isinstance(node, ast.IfExp):
                yield from self._negation(node.test)
            elif isinstance(node, ast.comprehension):
                for condition in node.ifs:
                    yield from self._negation(condition)
            elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
                yield from self._change(node, "constant", str(not node.value))
        yield from self._numbers(root)

    def _numbers(self, root: ast.expr) -> Iterator[Mutant]:
        for node in ast.walk(root):
            if isinstance(node, ast.Constant) and type(node.value) is int:
                yield from self._change(node, "constant", str(node.value + 1))
                if node.value > 0:
                    yield from self._change(node, "constant", str(node.value - 1))

    def _comparison(self, node: ast.Compare) -> Iterator[Mutant]:
        left: ast.expr = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            old, new = COMPARISONS[type(operator)]
            yield from self._between(left, right, "comparison", old, new)
            if type(operator) in TURNED:
                old, new = TURNED[type(operator)]
                yield from self._between(left, right, "turned comparison", old, new)
            left = right

    def _boolean(self, node: ast.BoolOp) -> Iterator[Mutant]:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from self._between(left, right, "and/or", old, new)

    def _dropped_conditions(self, node: ast.BoolOp) -> Iterator[Mutant]:
        """All conditions but one of those that `and` or `or` joins."""
        start, end = self._span(node)
        for dropped in node.values:
            left = [value for value in node.values if value is not dropped]
            rest = left[0] if len(left) == 1 else ast.BoolOp(node.op, left)
            new = ast.unparse(rest)
            yield Mutant(self._path, dropped.lineno, "dropped condition", start, end, new)

    def _swapped_arguments(self, node: ast.Call) -> Iterator[Mutant]:
        """Two positional arguments that stand side by side, in the wrong order."""
        for left, right in zip(node.args, node.args[1:], strict=False):
            start, end = self._span(left)[0], self._span(right)[1]
            first, second = ast.unparse(left), ast.unparse(right)
            if first != second and "\n" not in self._source[start:end]:
                new = f"{second}, {first}"
                yield Mutant(self._path, left.lineno, "swapped arguments", start, end, new)

    def _missing_call(self, node: ast.Call) -> Iterator[Mutant]:
        """The only argument of a call in place of the call."""
        if len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred):
            yield from self._change(node, "missing call", ast.unparse(node.args[0]))

    def _negation(self, test: ast.expr) -> Iterator[Mutant]:
        """The opposite condition; comparisons and `not` have their own mutants."""
        if not isinstance(test, (ast.Compare, ast.UnaryOp)) and _on_one_line(test):
            start, end = self._span(test)
            new = f"not ({self._source[start:end]})"
            yield Mutant(self._path, test.lineno, "negated condition", start, end, new)

    def _change(
        self,
        node: ast.expr | ast.stmt | None,
        operator: str,
        new: str,
    ) -> Iterator[Mutant]:
        if node is not None and _on_one_line(node):
            start, end = self._span(node)
            if self._source[start:end] != new:
                yield Mutant(self._path, node.lineno, operator, start, end, new)

    def _between(
        self,
        left: ast.expr,
        right: ast.expr,
        operator: str,
        old: str,
        new: str,
    ) -> Iterator[Mutant]:
        """Replaces an operator, which is the text between its operands apart from parentheses
        and blanks.
        """
        start, end = self._span(left)[1], self._span(right)[0]
        place = self._source.find(old, start, end)
        if place >= 0 and "#" not in self._source[start:end]:
            line = self._source.count("\n", 0, place) + 1
            yield Mutant(self._path, line, operator, place, place + len(old), new)

    def _without_not(self, node: ast.UnaryOp) -> Iterator[Mutant]:
        start, end = self._span(node)[0], self._span(node.operand)[0]
        if self._source[start:end] == "not ":
            yield Mutant(self._path, node.lineno, "negated condition", start, end, "")

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        return (
            self._position(node.lineno, node.col_offset),
            self._position(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset),
        )

    def _position(self, line: int, bytes_before: int) -> int:
        """The character at a place that `ast` gives in bytes."""
        before = self._lines[line - 1].encode()[:bytes_before].decode()
        return self._starts[line - 1] + len(before)


def _on_one_line(node: ast.expr | ast.stmt) -> bool:
    return node.lineno == node.end_lineno
