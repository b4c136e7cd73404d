"""The source files of the product, for tests of the code itself."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("grammar", "mqsc", "reports", "store")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Import:
    """An imported name: its full name, its line, and whether it is imported when the file is
    loaded.
    """

    name: str
    line: int
    at_load: bool


@dataclass(frozen=True)
class Module:
    """A source file of the product."""

    path: Path

    @cached_property
    def name(self) -> str:
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)

    @cached_property
    def source(self) -> str:
        return self.path.read_text("utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree; walking it takes longer than parsing it."""
        return list(ast.walk(self.tree))

    @cached_property
    def remarks(self) -> list[tuple[int, str]]:
        """The docstrings and comments, each on one line, with the numbers of their lines."""
        docstrings = [
            (getattr(node, "lineno", 1), " ".join((ast.get_docstring(node) or "").split()))
            for node in self.nodes
            if isinstance(node, (ast.Module, ast.ClassDef, *FUNCTIONS))
        ]
        tokens = tokenize.generate_tokens(io.StringIO(self.source).readline)
        comments = [
            (token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT
        ]
        return docstrings + comments

    def at(self, line: int) -> str:
        return f"{self.path.relative_to(ROOT)}:{line}"

    @cached_property
    def imports(self) -> list[Import]:
        """All imports, including those inside functions and under TYPE_CHECKING."""
        return [
            Import(name, node.lineno, at_load)
            for node, at_load in statements(self.tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in self._names(node)
        ]

    def _names(self, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (name_in_tree(each.name) for each in node.names)
            return
        base = node.module or ""
        if node.level:
            package = (
                self.name.split(".")
                if self.path.name == "__init__.py"
                else self.name.split(".")[:-1]
            )
            base = ".".join(
                [*package[: len(package) - node.level + 1], *filter(None, [node.module])],
            )
        yield from (name_in_tree(f"{base}.{each.name}") for each in node.names)


def name_in_tree(name: str) -> str:
    """Return the name of a module of a package beside mqsc without `mqsc.`: store.message for
    mqsc.store.message.
    """
    outer, _, inner = name.partition(".")
    return inner if outer == "mqsc" and inner.partition(".")[0] in PACKAGES else name


def statements(node: ast.AST, at_load: bool = True) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the statements inside a node, each with whether it runs when the file is loaded."""
    for each in ast.iter_child_nodes(node):
        if not isinstance(each, ast.expr):
            yield each, at_load
            yield from statements(each, at_load and not is_not_run_at_load(each))


def is_not_run_at_load(node: ast.AST) -> bool:
    """Return whether the code inside runs only when called, or only for the type checker."""
    return isinstance(node, FUNCTIONS) or (
        isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    )


MODULES = [Module(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def within(name: str, package: str) -> bool:
    """Return whether `name` is `package` or inside it."""
    return name == package or name.startswith(f"{package}.")


def every_import() -> Iterator[tuple[Module, Import]]:
    """Yield every import of the product with its module."""
    return ((module, each) for module in MODULES for each in module.imports)
