"""The documentation as a site: the pages in docs/ and the reference pages, built by MkDocs."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from mqsc.explain.concepts import CONCEPTS
from mqsc.explain.lookup import topic_lines
from mqsc.manual.command_pages import DEVELOPMENT, FIRST, SPECIFICATION, TASKS
from mqsc.manual.reference_pages import FOLDER, reference_pages

ROOT = Path(__file__).resolve().parents[2]
# Links of the README into docs/, which is the root of the site, and links out of docs/, which leads
# nowhere there.
_INTO_DOCS = re.compile(r"\]\(docs/([^)]+)\)")
_OUT_OF_DOCS = re.compile(
    r"(?<!!)\[([^\]]*)\]\((?:\.\./(?:README\.md)?|(?!https?:|[^)]*\.md)[\w./-]*/)[^)]*\)",
)
# Links of the README to pages beside it, which the site does not have.
_BESIDE_README = re.compile(r"\[([^\]]*)\]\((?:CHANGELOG|CONTRIBUTING)\.md\)")


class NoSourcesError(Exception):
    """The pages are not there: this is an installed package, not the source tree."""


def write_site(folder: Path) -> None:
    """Build the site in the folder, replacing what it holds; NoSourcesError without docs/."""
    # Only the extra `docs` installs it.
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    with tempfile.TemporaryDirectory() as temporary:
        sources = Path(temporary) / "docs"
        sources.mkdir()
        write_sources(sources)
        # MkDocs wants a file of settings, even if all of them are given here.
        empty = Path(temporary) / "mkdocs.yml"
        empty.touch()
        settings: dict[str, Any] = {
            "site_name": "mqsc",
            "docs_dir": str(sources),
            "site_dir": str(folder.resolve()),
            "plugins": ["search"],
            "theme": {"name": "readthedocs", "highlightjs": False},
            "use_directory_urls": False,
            "strict": True,
            "nav": navigation(sources),
        }
        build(load_config(config_file=str(empty), **settings))


def write_sources(folder: Path) -> None:
    """Write the Markdown that the site is made of; NoSourcesError without docs/."""
    docs, readme = ROOT / "docs", ROOT / "README.md"
    if not (docs.is_dir() and readme.is_file()):
        raise NoSourcesError(f"{docs} is not there: the site is built from the source tree")
    for page in docs.glob("*.md"):
        # MkDocs takes a README for the first page, which is that of the project here.
        name = page.name.replace("README", TASKS)
        (folder / name).write_text(_without_links_out(page.read_text("utf-8")), "utf-8")
    shutil.copytree(
        docs / DEVELOPMENT,
        folder / DEVELOPMENT,
        ignore=shutil.ignore_patterns("*.csv", "*.yaml"),
    )
    for page in (folder / DEVELOPMENT).rglob("*.md"):
        page.write_text(_without_links_out(page.read_text("utf-8")), "utf-8")
    shutil.copytree(docs / "pictures", folder / "pictures")
    index = _INTO_DOCS.sub(r"](\1)", readme.read_text("utf-8")).replace(
        "](README.md)",
        f"]({TASKS}.md)",
    )
    index = _BESIDE_README.sub(r"\1", index)
    (folder / "index.md").write_text(_without_links_out(index), "utf-8")
    (folder / FOLDER).mkdir()
    for name, text in reference_pages().items():
        (folder / FOLDER / name).write_text(text, "utf-8")


def glossary_page() -> str:
    """The glossary, docs/glossary.md: the concepts that `mqsc explain` knows."""
    example = "\n".join(topic_lines(["poison message"], 80))
    lines = [
        f'# Glossary\n\n```sh\nmqsc explain "poison message"\n```\n\n```text\n{example}\n```\n',
        "`mqsc explain WORD` knows the words of this page, and reason codes, messages, commands, "
        "keywords, values and "
        "rules.\n",
        "| word | meaning | try |\n|---|---|---|",
    ]
    for concept in sorted(CONCEPTS):
        in_shell = (f"`{command}` in the shell" for command in concept.in_shell)
        others = (f"`{command}`" for command in concept.commands)
        tried = "; ".join([*in_shell, *others])
        lines.append(f"| {concept.name} | {concept.text} | {tried} |")
    return "\n".join([*lines, ""])


def navigation(folder: Path) -> list[dict[str, Any]]:
    """The pages by title: the guide, the reference, the specification, the notes of developers."""
    index: list[dict[str, Any]] = [{"Start": "index.md"}]
    first = [folder / f"{name}.md" for name in FIRST]
    others = sorted({*folder.glob("*.md")} - {*first})
    pages = [page for page in (*first, *others) if page.exists()]
    guide = [{_title(page): page.name} for page in pages if page.name != "index.md"]
    parts = {"Guide": guide}
    folders = {
        "Reference": FOLDER,
        "Specification": SPECIFICATION,
        "Development": DEVELOPMENT,
    }
    for name, part in folders.items():
        parts[name] = [
            {_title(page): f"{part}/{page.name}"} for page in sorted((folder / part).glob("*.md"))
        ]
    return [*index, *({name: pages} for name, pages in parts.items())]


def _title(page: Path) -> str:
    return page.read_text("utf-8").split("\n", 1)[0].removeprefix("# ")


def _without_links_out(text: str) -> str:
    """The text with links to files that are not part of the site as plain words."""
    return _OUT_OF_DOCS.sub(r"\1", text)
