"""The pages for users are plain English: no habit of a translated text comes back."""

from __future__ import annotations

import re

import pytest

from tests.docs.page import PAGES
from tests.source import MODULES, ROOT

FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
HABITS = (
    r"\bwhoever\b",
    r"\bnone of (?:them|it)\b",
    r"\bstands?\b(?! for)",
    r"\bis told\b",
    r"\bwho only looks\b",
    r"\bsomebody\b",
    r"\b(?<!and )nobody\b(?!`)",
    r"\b(?:hears|heard) of\b",
    r"\bleft alone\b",
    r"\bthis was (?:tried|not tried)\b",
    r"\bprograms? that dies\b",
    r"\b(?:scans?|gets?|browses?) (?:that )?meets?\b",
    r"\bthat (?:it|they) meets?\b",
    r"\bdo as they say\b",
)


def prose(page: str) -> str:
    """The prose of a page, without its examples, on one line."""
    return " ".join(FENCED.sub("", page).split())


PROSE = {page.name: prose(page.read_text("utf-8")) for page in PAGES}


@pytest.mark.parametrize("habit", HABITS)
def test_no_page_has_a_habit_of_a_translated_text(habit: str) -> None:
    found = [
        f"{name}: {text[max(0, match.start() - 40) : match.end() + 40]}"
        for name, text in PROSE.items()
        for match in re.finditer(habit, text, re.IGNORECASE)
    ]
    assert found == []


# Habits that plain English does not have anywhere, not even in a comment.
OF_COMMENTS = ("whoever", "somebody", "is told", "hears of", "heard of", "left alone")


@pytest.mark.parametrize("habit", OF_COMMENTS)
def test_no_docstring_and_no_comment_has_one_either(habit: str) -> None:
    found = [
        f"{module.at(line)} {text}"
        for module in MODULES
        for line, text in module.remarks
        if re.search(rf"\b{habit}\b", text, re.IGNORECASE)
    ]
    assert found == []


# The product is on no index of packages.
FROM_AN_INDEX = re.compile(r"pip install [^\n`]*(?<![\w./-])mqsc(?![\w.])")
TEXTS = [
    *PAGES,
    *(path for folder in ("mqsc", "reports", "store") for path in (ROOT / folder).rglob("*.py")),
]


def test_no_advice_installs_the_product_from_an_index() -> None:
    advice = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in TEXTS
        for match in FROM_AN_INDEX.finditer(re.sub(r'"\s*f?"', "", path.read_text("utf-8")))
    ]
    assert advice == []


NUMBER = re.compile(r"\d+(?:\.\d+)?")
THOUSANDS = re.compile(r"(?<=\d)[ ,](?=\d{3}\b)")


def numbers(page: str) -> set[str]:
    text = (ROOT / "docs" / page).read_text("utf-8")
    return set(NUMBER.findall(THOUSANDS.sub("", text)))


def test_the_figures_of_the_page_on_speed_are_those_of_the_notebook() -> None:
    assert numbers("speed.md") - numbers("development/speed-notebook.md") == set()
