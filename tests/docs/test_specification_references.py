"""Every reference to the specification in a docstring or comment has its target in docs.

- `triggering §3`, `mqi-semantics §4.4`, `dlq-rules §3.8`: a section, or paragraph 8 of section 3
- `§12`: a section of the document that the text, its module or its folder names
- `expiry X11`, `triggering T43 to T45`, `channels Ch2`: rows, scenarios, conditions or headings of
  a document
- `O-CLOSE`: an occasion of triggering
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.source import MODULES, ROOT, Module, within

SPECIFICATION = ROOT / "docs" / "development" / "specification"
# Names under which the code cites a document, where they differ from the name of its file.
SHORT_NAMES = {
    **dict.fromkeys(("expiry", "backout", "channels"), "expiry-backout-channels"),
    "poison": "poison-and-channels",
}
# The document that all modules of a folder refer to.
OF_FOLDERS = {"mqsc.dlq": "dlq-rules", "store.rules.trigger": "triggering"}

HEADING = re.compile(r"^#{1,4} (\d+(?:\.\d+)?)[. ]", re.MULTILINE)
# A numbered paragraph, or a row of a table whose first cell is a number.
PARAGRAPH = re.compile(r"^(?:\| )?(\d+)(?:\.| \|) ", re.MULTILINE)
ROW = re.compile(r"^(?:\| *|#{1,4} )\**(O-[A-Z-]+|Ch\d|[A-Z]\d{1,2})\b", re.MULTILINE)

# A reference is `§` with its numbers, optionally after the name of a document; or an id that is a
# word of its own.
SECTION = re.compile(
    r"(?:(?P<document>\b[A-Za-z][\w-]*)\s)?§(?P<section>\d+(?:\.\d+)?)(?P<paragraphs>(?:, \d+)*)",
)
OCCASION = re.compile(r"\bO-[A-Z][A-Z-]+\b")
ID = r"(?:Ch\d|[ABCEHJKLNPTVX]\d{1,2})"
# In parentheses, other letters are citations too, and not steps or names.
CITATIONS = re.compile(
    rf"(?:(?P<document>\b[A-Za-z][\w-]*)\s)?(?P<ids>(?<![\w+'\"./-]){ID}(?:(?:,| to| "
    rf"and)\s{ID})*)(?![\w('\"/-])"
    r"|\((?P<bare>[A-Z]\d{1,2}(?:(?:,| to| and)\s[A-Z]\d{1,2})*)\)",
)


@cache
def sections(path: Path) -> frozenset[str]:
    """Return the numbers of the sections of a document, and N.M for the numbered paragraph or row
    M of section N.
    """
    text = path.read_text("utf-8")
    found = set()
    parts = HEADING.split(text)[1:]
    for number, body in zip(parts[::2], parts[1::2], strict=True):
        found.add(number)
        found.update(f"{number}.{paragraph}" for paragraph in PARAGRAPH.findall(body))
    return frozenset(found)


@cache
def documents() -> dict[str, Path]:
    named = {path.stem: path for path in SPECIFICATION.glob("*.md")}
    return (
        named
        | {short: named[name] for short, name in SHORT_NAMES.items()}
        | {"design": ROOT / "docs" / "development" / "design.md"}
    )


@cache
def ids(path: Path) -> frozenset[str]:
    return frozenset(ROW.findall(path.read_text("utf-8")))


def texts(module: Module) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module with their line numbers. Adjacent comment
    lines are one text.
    """
    for node in module.nodes:
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text:
                yield node.body[0].lineno, text
    comment: list[str] = []
    began = last = 0
    for token in tokenize.generate_tokens(io.StringIO(module.source).readline):
        if token.type != tokenize.COMMENT:
            continue
        if comment and token.start[0] != last + 1:
            yield began, "\n".join(comment)
            comment = []
        began = began if comment else token.start[0]
        last = token.start[0]
        comment.append(token.string.lstrip("# "))
    if comment:
        yield began, "\n".join(comment)


def unresolved(
    text: str,
    module_document: str | None,
    own_rows: str | None = None,
) -> Iterator[str]:
    """Yield the references in `text` without a target.

    A bare § before any document means `module_document`, and a bare id a row of `own_rows`.
    """
    document = module_document
    for match in SECTION.finditer(text):
        document = match["document"] or document
        path = documents().get((document or "").lower())
        if path is None:
            yield f"{match[0]}: no such document" if document else f"{match[0]}: of which document?"
            continue
        number = match["section"]
        wanted = [number, *(f"{number}.{each}" for each in re.findall(r"\d+", match["paragraphs"]))]
        yield from (f"{document} §{each}" for each in wanted if each not in sections(path))
    yield from (
        each for each in OCCASION.findall(text) if each not in ids(documents()["triggering"])
    )
    for match in CITATIONS.finditer(text):
        cited, named = match["ids"] or match["bare"], (match["document"] or "").lower()
        path = documents().get(named) or documents().get(own_rows or "")
        if path is None:
            yield f"{cited}: of which document?"
        else:
            yield from (
                f"{path.stem} {each}"
                for each in re.findall(r"\w+\d", cited)
                if each not in ids(path)
            )


def document_of(module: Module) -> str | None:
    """Return the document that a bare § means in a module: that of its folder, or the only one
    its docstring names.
    """
    named = {
        match["document"] for match in SECTION.finditer(ast.get_docstring(module.tree) or "")
    } - {None}
    return document_of_folder(module) or (named.pop() if len(named) == 1 else None)


def document_of_folder(module: Module) -> str | None:
    return next(
        (document for folder, document in OF_FOLDERS.items() if within(module.name, folder)),
        None,
    )


def test_every_reference_leads_to_the_specification() -> None:
    wrong = [
        f"{module.at(line)} {reference}"
        for module in MODULES
        for line, text in texts(module)
        for reference in unresolved(text, document_of(module), document_of_folder(module))
    ]
    assert wrong == []


def test_references_are_found_and_one_that_leads_nowhere_is_reported() -> None:
    cases = {
        "Pure (triggering §3, §4).": [],
        "As the table says (dlq-rules §3, 8, 99).": ["dlq-rules §3.99"],
        "The order of the table (§99).": ["mqi-semantics §99"],
        "As in old-design §2.": ["old-design §2: no such document"],
        "Expired messages (expiry X11, X99, A6, channels Ch2).": ["expiry-backout-channels X99"],
        "See expiry E20 to E23; triggering T43 and O-CLOSE, not O-SHUT.": ["O-SHUT"],
        "Commits the batch (R2), as X1 and X5 say (events R2).": [
            "R2: of which document?",
            "X1 and X5: of which document?",
        ],
        "No reference: UTF-8, MQSC-C08, QM1, C01(x), 'A1'.": [],
    }
    assert {text: list(unresolved(text, "mqi-semantics")) for text in cases} == cases


def test_the_specification_is_read() -> None:
    assert {"3", "4.1", "3.8"} <= sections(documents()["dlq-rules"])
    found = {each for path in documents().values() for each in ids(path)}
    assert {"C1", "C14", "X11", "B04", "T41", "A3", "Ch2", "P10", "O-CLOSE"} <= found
