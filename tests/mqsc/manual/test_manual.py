"""The manual is complete: a page for every command, every word of MQSC, every message and rule,
and no broken link.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import click

from mqsc.explain.lint_rules import rule_ids
from mqsc.language.reply import TEXTS
from mqsc.manual.command_pages import CommandPage, command_pages
from mqsc.manual.man_pages import man_page, write_man_pages
from mqsc.manual.reference_pages import reference_pages
from mqsc.manual.site import glossary_page, navigation, write_site, write_sources
from mqsc.store.catalog import KINDS
from mqsc.verbs import VERBS
from tests.mqsc.console.test_help import PATHS
from tests.rows import rows
from tests.source import ROOT

PAGES = {page.path: page for page in command_pages()}
REFERENCE = reference_pages()
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)[^)]*\)")


def test_every_command_has_a_page_with_all_its_options() -> None:
    assert PAGES.keys() == {"", *PATHS}
    for path, command in PATHS.items():
        shown = " ".join(names for names, _ in PAGES[path].options).replace(",", " ").split()
        options = [
            each for each in command.params if isinstance(each, click.Option) and not each.hidden
        ]
        assert {word for option in options for word in option.opts} <= {*shown}, path
        assert PAGES[path].examples, path
        assert PAGES[path].description, path


def test_the_manual_pages_are_valid(tmp_path: Path) -> None:
    files = write_man_pages(tmp_path / "man1")
    assert {file.name for file in files} >= {
        "mqsc.1",
        "mqsc-run.1",
        "mqsc-qmgr-create.1",
        "runmqsc.1",
    }
    assert len({file.name for file in files}) == len(PAGES)
    if shutil.which("groff"):
        command = ["groff", "-man", "-ww", "-z", *map(str, files)]
        assert subprocess.run(command, capture_output=True, text=True, check=True).stderr == ""
    linked = {
        name
        for file in files
        for name in re.findall(r"(\S+)\(1\)", file.read_text().replace("\\-", "-"))
    }
    assert linked <= {file.stem for file in files}


def test_text_is_not_read_as_a_request() -> None:
    page = CommandPage(
        "x",
        "About -x.",
        "mqsc x",
        (),
        (("--back\\slash", ".start\n'quote"),),
        (),
        (),
        False,
    )
    lines = man_page(page, {"": page}).splitlines()
    assert lines[2] == "mqsc\\-x \\- About \\-x"
    assert {".B \\-\\-back\\eslash", "\\&.start", "\\&'quote"} <= {*lines}


@rows(
    ("commands.md", [page.typed for page in PAGES.values()]),
    ("mqsc.md", [f"{verb.keyword} {noun}" for verb in VERBS.values() for noun in verb.objects]),
    ("attributes.md", [*KINDS]),
    ("rules.md", rule_ids()),
)
def test_the_reference_has_a_section_for_every_word(page: str, words: list[str]) -> None:
    headings = re.findall(r"^## ([^:\n]+)", REFERENCE[page], re.MULTILINE)
    assert sorted({*words} - {*headings}) == []


def test_the_reference_has_every_attribute_and_message() -> None:
    first = set(re.findall(r"^\| (\S+) \|", REFERENCE["attributes.md"], re.MULTILINE))
    assert {
        word for kind in KINDS.values() for word, row in kind.attributes.items() if not row.option
    } <= first
    assert {*TEXTS} <= set(re.findall(r"^\| (\S+) \|", REFERENCE["messages.md"], re.MULTILINE))


def test_every_link_of_the_site_leads_to_a_page(tmp_path: Path) -> None:
    write_sources(tmp_path)
    broken = [
        f"{page.relative_to(tmp_path)}: {target}"
        for page in tmp_path.rglob("*.md")
        for target in LINK.findall(page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
    named = re.findall(r"'([^']+\.md)'", str(navigation(tmp_path)))
    assert sorted(named) == sorted(
        str(page.relative_to(tmp_path)) for page in tmp_path.rglob("*.md")
    )


def test_the_site_is_built(tmp_path: Path) -> None:
    write_site(tmp_path / "site")
    built = {
        str(file.relative_to(tmp_path / "site")) for file in (tmp_path / "site").rglob("*.html")
    }
    assert {
        "index.html",
        "git.html",
        "reference/attributes.html",
        "development/specification/mqsc-lexical.html",
        "development/architecture.html",
    } <= built
    pictures = re.findall(
        r'<img[^>]*src="([^"]+)',
        (tmp_path / "site" / "index.html").read_text("utf-8"),
    )
    assert pictures
    assert all((tmp_path / "site" / each).is_file() for each in pictures)


def test_the_glossary_has_what_explain_knows() -> None:
    assert (ROOT / "docs" / "glossary.md").read_text("utf-8") == glossary_page()
