"""The commands of a dump without what they have in common with their default object.

A dump has all attributes of each object, fifty for a queue, and most are those of the default object
from which its DEFINE starts. Leaving them out takes nothing away, and a dump of 10,000 queues is read
in a third of the time. Commands of another form than that of `dmpmqcfg -o 1line` stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from mqsc.grammar.lines import COMMAND_LENGTH
from mqsc.scripts.export import ExportCommand, shipped
from mqsc.scripts.export_output import one_line
from mqsc.store.catalog import KINDS, Kind

_PARAMETER = r" [A-Z][A-Z0-9]*(?:\((?:'(?:[^']|'')*'|[^()'\s,]+)\))?"
_PARAMETERS = re.compile(_PARAMETER)
_DEFINE = re.compile(rf"DEFINE ([A-Z]+)\('([^']*)'\)((?:{_PARAMETER})+)")
_KEYWORD = re.compile(r" ([A-Z0-9]+)")


def shortened(lines: Sequence[str]) -> list[str]:
    """The lines, each with the same commands as before, but shorter ones."""
    of_defaults: dict[str, frozenset[str]] = {}
    matches = [_match(line) for line in lines]
    for match in filter(None, matches):
        kind = KINDS[match[1]]
        if match[2] == kind.default_object_of(""):
            of_defaults[match[1]] = _known(kind, _PARAMETERS.findall(match[3]))
    return [
        line if match is None else _shortened(match, of_defaults)
        for line, match in zip(lines, matches, strict=True)
    ]


def _match(line: str) -> re.Match[str] | None:
    """The DEFINE that a line is, if its kind has one default object; None for another line."""
    if len(line) > COMMAND_LENGTH:
        return None
    match = _DEFINE.fullmatch(line.rstrip())
    kind = KINDS.get(match[1]) if match else None
    return match if kind is not None and not kind.selector and not kind.identity else None


def _shortened(match: re.Match[str], of_defaults: Mapping[str, frozenset[str]]) -> str:
    keyword, name, parameters = match.groups()
    if name == KINDS[keyword].default_object_of(""):
        return match[0]
    common = of_defaults.get(keyword) or _shipped(keyword)
    others = (each for each in _PARAMETERS.findall(parameters) if each not in common)
    return f"DEFINE {keyword}('{name}'){''.join(others)}"


@cache
def _shipped(keyword: str) -> frozenset[str]:
    """The parameters of the default object of a new queue manager, which a dump of this product
    leaves out.
    """
    kind = KINDS[keyword]
    name = kind.default_object_of("")
    default = next(
        (each for each in shipped().values() if each.kind == kind and each.name == name),
        None,
    )
    if default is None:
        return frozenset()
    text = one_line(ExportCommand("DEFINE", default, default.values))
    return _known(kind, _PARAMETERS.findall(text))


def _known(kind: Kind, parameters: Iterable[str]) -> frozenset[str]:
    """The parameters whose attributes the catalog knows: all others must be seen."""
    return frozenset(
        each
        for each in parameters
        if (match := _KEYWORD.match(each)) is not None and _has(kind, match[1])
    )


def _has(kind: Kind, word: str) -> bool:
    return word in kind.words and not kind.words[word][0].option
