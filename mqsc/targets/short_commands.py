"""The commands of a dump without what they have in common with their default object.

A dump has all attributes of each object, fifty for a queue, and most are those of the default object
from which its DEFINE starts. Leaving them out takes nothing away, and a dump of 10,000 queues is read
in a third of the time. Commands of another form than that of `dmpmqcfg -o 1line` stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from mqsc.grammar.lines import COMMAND_LENGTH
from mqsc.scripts.export import ExportCommand, shipped
from mqsc.scripts.export_output import one_line
from mqsc.store.catalog import KINDS, Kind

_PARAMETER = r" [A-Z][A-Z0-9]*(?:\((?:'(?:[^']|'')*'|[^()'\s,]+)\))?"
_PARAMETERS = re.compile(_PARAMETER)
# dmpmqcfg of this product writes ALTER for the objects of a new queue manager.
_COMMAND = re.compile(rf"(?:DEFINE|ALTER) ([A-Z]+)\('([^']*)'\)((?:{_PARAMETER})+)")
_KEYWORD = re.compile(r" ([A-Z0-9]+)")


def shortened(lines: Sequence[str]) -> list[str]:
    """The lines, each with the same commands as before, but shorter ones."""
    matches = [_match(line) for line in lines]
    of_defaults = _defaults(lines, matches)
    return [
        line if match is None else _shortened(match, of_defaults.get(match[1], frozenset()))
        for line, match in zip(lines, matches, strict=True)
    ]


def _defaults(
    lines: Sequence[str],
    matches: Sequence[re.Match[str] | None],
) -> dict[str, frozenset[str]]:
    """The parameters of the default object of each kind: those that the dump says, or if it does
    not name the object, those of a new queue manager. No key if the dump says them in another
    form.
    """
    said = {match[1]: match for match in matches if match is not None and _is_default(match)}
    # Its authority records say nothing of it.
    text = "\n".join(line for line in lines if not line.startswith(("SET ", "*")))
    defaults = dict[str, frozenset[str]]()
    for keyword in {match[1] for match in matches if match is not None}:
        kind = KINDS[keyword]
        name = kind.default_object_of("")
        mentions = text.count(name)
        if not mentions:
            defaults[keyword] = _shipped(keyword)
        elif mentions == 1 and keyword in said:
            defaults[keyword] = _known(kind, _PARAMETERS.findall(said[keyword][3]))
    return defaults


def _is_default(match: re.Match[str]) -> bool:
    return match[2] == KINDS[match[1]].default_object_of("")


def _match(line: str) -> re.Match[str] | None:
    """The DEFINE or ALTER that a line is, if its kind has one default object; None for another
    line.
    """
    if len(line) > COMMAND_LENGTH:
        return None
    match = _COMMAND.fullmatch(line.rstrip())
    kind = KINDS.get(match[1]) if match else None
    return match if kind is not None and not kind.selector and not kind.identity else None


def _shortened(match: re.Match[str], common: frozenset[str]) -> str:
    keyword, name, parameters = match.groups()
    # LIKE starts from another object.
    if match[0].startswith("ALTER") or _is_default(match) or " LIKE(" in parameters:
        return match[0]
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
