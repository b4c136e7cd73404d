"""The reference pages of the site, in Markdown: commands, MQSC, attributes, messages and rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mqsc.explain.lint_rules import DESCRIPTIONS
from mqsc.explain.words_of_mqsc import PLATFORMS
from mqsc.language.reply import TEXTS
from mqsc.language.request import CommandSyntax
from mqsc.language.syntax_text import syntax_lines
from mqsc.manual.api_reference import api_page
from mqsc.manual.command_pages import CommandPage, command_pages
from mqsc.store.catalog import KINDS, Attribute, Kind
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.verbs import VERBS
from mqsc.verbs.syntax import syntax_of

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
