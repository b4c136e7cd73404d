"""Pages about commands, written as manual pages, as the reference, and as the site of the
documentation.
"""

from __future__ import annotations

import inspect
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from mqsc.console.help import EXAMPLES
from mqsc.console.options import HELP_OPTIONS, LazyGroup
from mqsc.explain.concepts import CONCEPTS
from mqsc.explain.subjects import DESCRIPTIONS, PLATFORMS, topic_lines
from mqsc.ibm.options import IbmCommand
from mqsc.language.command_table import syntax_lines
from mqsc.language.reply import TEXTS
from mqsc.language.request import CommandSyntax
from mqsc.main import mqsc
from mqsc.manual.api_reference import api_page
from mqsc.store.catalog import KINDS, Attribute, Kind
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.table import cells
from mqsc.verbs import VERBS
from mqsc.verbs.analysis import syntax_of
from mqsc.version import __version__

_WIDE = 10_000
# The name of docs/README.md in the site.
TASKS = "tasks"
# The pages with which the guide begins and ends.
_FIRST = ("tutorial", "demo", "coming-from", "cheat-sheet", TASKS)
_FOR_DEVELOPERS = frozenset(("architecture", "design"))
# The folders of docs/ that are parts of the site.
_FOLDERS = ("specification", "development")
_ABOUT = "An MQ-style queue manager in one SQLite file, administered in MQSC."


class Paragraph(Struct, frozen=True):
    """A paragraph of a description; the lines of one that is `kept` stay as they are."""

    text: str
    kept: bool = False


class CommandPage(Struct, frozen=True):
    """One command: `path` is what follows `mqsc`, blank for the command line as a whole.

    `options` are pairs of the option and its meaning, `commands` those of a group with a line about
    each.
    """

    path: str
    about: str
    usage: str
    description: tuple[Paragraph, ...]
    options: tuple[tuple[str, str], ...]
    commands: tuple[tuple[str, str], ...]
    examples: tuple[str, ...]
    is_ibms: bool

    @property
    def title(self) -> str:
        """The name of the manual page: mqsc-qmgr-create, or runmqsc for a program of its own."""
        return self.path if self.is_ibms else "-".join(("mqsc", *self.path.split()))

    @property
    def typed(self) -> str:
        """The command as it is typed."""
        return self.path if self.is_ibms else f"mqsc {self.path}".rstrip()


def command_pages() -> Iterator[CommandPage]:
    """A page for the command line as a whole, and one for every command."""
    with click.Context(
        mqsc,
        info_name="mqsc",
        terminal_width=_WIDE,
        help_option_names=[*HELP_OPTIONS],
    ) as context:
        yield _page(context, "", _ABOUT)
        yield from _of_group(context, mqsc, "")


def _of_group(context: click.Context, group: LazyGroup, path: str) -> Iterator[CommandPage]:
    for name, (_, _, about, *_) in group.rows.items():
        command = group.get_command(context, name)
        assert command is not None
        with click.Context(command, parent=context, info_name=name) as inner:
            inner_path = f"{path} {name}".strip()
            yield _page(inner, inner_path, about)
            if isinstance(command, LazyGroup):
                yield from _of_group(inner, command, inner_path)


def _page(context: click.Context, path: str, about: str) -> CommandPage:
    command = context.command
    is_ibms = isinstance(command, IbmCommand)
    usage = context.get_usage().removeprefix("Usage: ")
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    options = tuple((names, _plain(meaning)) for names, meaning in filter(None, records) if meaning)
    rows = command.rows.items() if isinstance(command, LazyGroup) else ()
    return CommandPage(
        path,
        about,
        usage.removeprefix("mqsc ") if is_ibms else usage,
        tuple(_paragraphs(command.help or "")),
        options,
        tuple((f"{path} {name}".strip(), line) for name, (_, _, line, *_) in rows),
        EXAMPLES.get(path, ()),
        is_ibms,
    )


def _paragraphs(text: str) -> Iterator[Paragraph]:
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if part.startswith("\b"):
            yield Paragraph(part.removeprefix("\b").strip("\n"), kept=True)
        elif part:
            yield Paragraph(_plain(part))


def _plain(text: str) -> str:
    return " ".join(text.split())


# Manual pages for man(1), in roff.

_SAME_FOR_ALL = cells(__file__, "man_page.csv", ("section", "term", "meaning"))
# At the start of a line these begin a request to roff.
_REQUEST = re.compile(r"^([.'])", re.MULTILINE)


def write_man_pages(folder: Path) -> list[Path]:
    """Write a page for every command into the folder, which is created; return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = {page.path: page for page in command_pages()}
    for page in pages.values():
        (folder / f"{page.title}.1").write_text(man_page(page, pages), "utf-8")
    return [folder / f"{page.title}.1" for page in pages.values()]


def man_page(page: CommandPage, pages: Mapping[str, CommandPage]) -> str:
    """The page in roff; `pages` are all of them, by path."""
    return "".join(f"{line}\n" for line in _lines(page, pages))


def _lines(page: CommandPage, pages: Mapping[str, CommandPage]) -> Iterator[str]:
    yield f'.TH "{_text(page.title.upper())}" 1 "" "mqsc {__version__}" "mqsc manual"'
    yield from (".SH NAME", f"{_text(page.title)} \\- {_text(page.about.removesuffix('.'))}")
    yield from (".SH SYNOPSIS", f".B {_text(page.usage)}")
    yield ".SH DESCRIPTION"
    for paragraph in page.description:
        yield from (
            ".PP",
            *(
                (".nf", _text(paragraph.text), ".fi")
                if paragraph.kept
                else (_text(paragraph.text),)
            ),
        )
    yield from _definitions(
        "COMMANDS",
        ((pages[path].typed, about) for path, about in page.commands),
    )
    yield from _definitions("OPTIONS", page.options)
    for section in dict.fromkeys(row[0] for row in _SAME_FOR_ALL):
        yield from _definitions(section, (row[1:] for row in _SAME_FOR_ALL if row[0] == section))
    if page.examples:
        yield from (".SH EXAMPLES", ".nf", *map(_text, page.examples), ".fi")
    above = [" ".join(page.path.split()[:-1])] if page.path else []
    related = (pages[path].title for path in (*above, *(path for path, _ in page.commands)))
    yield from (".SH SEE ALSO", ", ".join(f"{_text(each)}(1)" for each in related))


def _definitions(heading: str, rows: Iterable[Sequence[str]]) -> Iterator[str]:
    rows = [*rows]
    yield from [f".SH {heading}"] if rows else []
    for term, meaning in rows:
        yield from (".TP", f".B {_text(term)}", _text(meaning))


def _text(text: str) -> str:
    """Text that roff prints as it is."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("`", "")
    return _REQUEST.sub(r"\\&\1", escaped)


# The reference pages of the site, in Markdown: commands, MQSC, attributes, messages and rules.

FOLDER = "reference"
_SPECIAL = str.maketrans({each: f"\\{each}" for each in "\\`*_{}[]<>|#"})


def reference_pages() -> dict[str, str]:
    """The pages by file name."""
    return {
        "commands.md": _reference_page("Commands", _commands(command_pages())),
        "mqsc.md": _reference_page("MQSC commands", _verbs()),
        "attributes.md": _reference_page("Attributes", _kinds({**KINDS, **STATUS_KINDS}.values())),
        "messages.md": _reference_page(
            "Messages",
            _table(("message", "text"), sorted(TEXTS.items())),
        ),
        "rules.md": _reference_page("Rules of check and dlq check", _rules()),
        "python-names.md": _reference_page("The names of the Python package", api_page()),
    }


def _reference_page(title: str, lines: Iterable[str]) -> str:
    return "\n".join((f"# {title}", "", *lines, ""))


def _commands(pages: Iterable[CommandPage]) -> Iterator[str]:
    for page in pages:
        yield from (f"## {page.typed}", "", _escaped(page.about), "", *_code(page.usage))
        for paragraph in page.description:
            yield from (
                (*_code(paragraph.text),) if paragraph.kept else (_escaped(paragraph.text), "")
            )
        if page.options:
            yield from _table(("option", "meaning"), page.options)
        if page.examples:
            yield from _code("\n".join(page.examples))


def _verbs() -> Iterator[str]:
    for verb in VERBS.values():
        for noun in sorted(verb.objects):
            syntax = syntax_of(verb.keyword, noun)
            yield from (f"## {syntax.title}", "", *_code("\n".join(syntax_lines(syntax))))
            options = [*_options_of(syntax)]
            if options:
                yield from _table(("parameter", "takes", "meaning"), options)


def _options_of(syntax: CommandSyntax) -> Iterator[tuple[str, str, str]]:
    """The parameters that are not attributes of the object."""
    taken = {id(row) for row, _ in syntax.words.values()}
    for option in syntax.verb.options:
        if id(option.parameter) in taken:
            yield option.parameter.keyword, option.parameter.type.wanted, option.parameter.help


def _kinds(kinds: Iterable[Kind]) -> Iterator[str]:
    for kind in kinds:
        yield from (f"## {kind.keyword}", "")
        attributes = sorted(kind.attributes.values(), key=lambda attribute: attribute.keyword)
        headings = ("attribute", "takes", "default", "verbs", "meaning")
        yield from _table(
            headings, [_attribute(attribute) for attribute in attributes if not attribute.option]
        )


def _attribute(attribute: Attribute) -> tuple[str, str, str, str, str]:
    default = (
        ",".join(attribute.default) if isinstance(attribute.default, list) else attribute.default
    )
    platform = PLATFORMS.get(attribute.platform, "")
    help_text = f"{attribute.help} ({platform})" if platform else attribute.help
    shown = "" if default is None else str(default) or "blank"
    return (
        attribute.keyword,
        attribute.type.wanted,
        shown,
        ", ".join(sorted(attribute.verbs)),
        help_text,
    )


def _rules() -> Iterator[str]:
    for rule in DESCRIPTIONS:
        yield from (
            f"## {rule.rule_id}: {_escaped(rule.title)}",
            "",
            f"Severity: {rule.severity}.",
            "",
        )
        yield from (_escaped(rule.reason), "", "Reported:", "", *_code(rule.bad.rstrip("\n")))
        if rule.good:
            yield from ("Right:", "", *_code(rule.good.rstrip("\n")))


def _code(text: str) -> tuple[str, ...]:
    return ("```", text, "```", "")


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _table_line(headings)
    yield _table_line(["---"] * len(headings))
    for row in rows:
        yield _table_line([_escaped(" ".join(each.split())) for each in row])
    yield ""


def _table_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return text.translate(_SPECIAL)


# The documentation as a site: the pages in docs/ and the reference pages, built by MkDocs.

ROOT = Path(__file__).resolve().parents[2]
# Links of the README into docs/, which is the root of the site, and links out of docs/, which leads
# nowhere there.
_INTO_DOCS = re.compile(r"\]\(docs/([^)]+)\)")
_OUT_OF_DOCS = re.compile(
    r"(?<!!)\[([^\]]*)\]\((?:\.\./(?:README\.md)?|(?!https?:|[^)]*\.md)[\w./-]*/)[^)]*\)",
)


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
    for part in _FOLDERS:
        shutil.copytree(
            docs / part, folder / part, ignore=shutil.ignore_patterns("*.csv", "*.yaml")
        )
        for page in (folder / part).glob("*.md"):
            page.write_text(_without_links_out(page.read_text("utf-8")), "utf-8")
    shutil.copytree(docs / "pictures", folder / "pictures")
    index = _INTO_DOCS.sub(r"](\1)", readme.read_text("utf-8")).replace(
        "](README.md)",
        f"]({TASKS}.md)",
    )
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
    first = [folder / f"{name}.md" for name in _FIRST]
    others = sorted(
        {*folder.glob("*.md")} - {*first},
        key=lambda page: (page.stem in _FOR_DEVELOPERS, page),
    )
    pages = [page for page in (*first, *others) if page.exists()]
    guide = [{_title(page): page.name} for page in pages if page.name != "index.md"]
    parts = {"Guide": guide}
    folders = {
        "Reference": FOLDER,
        "Specification": "specification",
        "Development": "development",
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
