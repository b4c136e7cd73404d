"""Which objects and inputs a command is about: what the options that apply, diff, export, run
and check share mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from mqsc.console.decorators import combined
from mqsc.console.object_names import ANY, ObjectName, pattern_of
from mqsc.console.parameters import TextType
from mqsc.console.target import NothingRunError, failing
from mqsc.language.command_table import NOUN_SYNONYMS
from mqsc.language.variables import parse_assignments
from mqsc.store.catalog import KINDS
from mqsc.store.catalog.spelling import hint

if TYPE_CHECKING:
    from yaml import Node

# The words of --types: each kind, and all four types of queue together.
TYPES: Mapping[str, frozenset[str]] = {
    **{keyword: frozenset((keyword,)) for keyword in KINDS},
    "QUEUE": frozenset(kind.keyword for kind in KINDS.values() if kind.namespace == "queue"),
}


class Selection(Struct, frozen=True, dict=True):
    """Selects objects: by name, by kind, and whether only those that the files define.

    In `include` and `exclude` an asterisk stands for any characters; empty `include` means all
    names, empty `kinds` all kinds. The queue manager itself has a blank name.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    only_defined: bool = False

    def has(self, keyword: str, name: str) -> bool:
        """Whether an object of that kind and name is selected."""
        return (
            (not self.kinds or keyword in self.kinds)
            and (self._included is None or self._included.fullmatch(name) is not None)
            and (self._excluded is None or self._excluded.fullmatch(name) is None)
        )

    @property
    def is_everything(self) -> bool:
        """Whether it leaves out no object by its name or kind."""
        return not (self.include or self.exclude or self.kinds)

    @cached_property
    def _included(self) -> re.Pattern[str] | None:
        return pattern_of(self.include) if self.include else None

    @cached_property
    def _excluded(self) -> re.Pattern[str] | None:
        return pattern_of(self.exclude) if self.exclude else None


EVERYTHING = Selection()


class Kinds(TextType):
    """Kinds of object with commas between them, as a set of keywords."""

    name = "types"

    def read(self, text: str) -> frozenset[str]:
        types: set[str] = set()
        for word in filter(None, map(str.strip, text.upper().split(","))):
            noun = NOUN_SYNONYMS.get(word, word)
            if noun not in TYPES:
                known = hint(word.lower(), sorted(map(str.lower, TYPES)), "the kinds are")
                raise ValueError(f"{word.lower()} is no kind of object; {known}")
            types |= TYPES[noun]
        if not types:
            # As of an unset variable; with --prune it must not mean everything.
            raise ValueError("it names no kind of object.")
        return frozenset(types)


# Which objects a command is about, by name and kind.
selection_options = combined(
    click.option(
        "--include",
        type=ObjectName(ANY, is_filter=True, is_exact=True),
        multiple=True,
        metavar="NAME",
        help="Only objects so named; * is any text.",
    ),
    click.option(
        "--exclude",
        type=ObjectName(ANY, is_filter=True, is_exact=True),
        multiple=True,
        metavar="NAME",
        help="No objects so named; * is any text.",
    ),
    click.option(
        "--types",
        type=Kinds(),
        multiple=True,
        metavar="TYPE,...",
        help="Only these: queue, channel ...",
    ),
)

only_defined_option = click.option(
    "--only-defined",
    is_flag=True,
    help="Only objects that the FILEs define.",
)


def selection_of(
    *,
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    types: Iterable[frozenset[str]],
    only_defined: bool = False,
) -> Selection:
    """The Selection that the values of these options make."""
    return Selection(include, exclude, frozenset[str]().union(*types), only_defined)


class Variables(Struct, frozen=True):
    """The values of variables by name, and those of them that --set gave, which commands should
    use.
    """

    values: Mapping[str, str]
    expected: Set[str] = frozenset()


def variables_of(settings: Iterable[str], files: Iterable[Path]) -> Variables | None:
    """The variables that --set and --set-file give; None without either.

    Raises UsageError or NothingRunError, with the place, for what is not a value.
    """
    if not (settings or files):
        return None
    with failing(ValueError, click.UsageError, "--set: "):
        set_here = parse_assignments(settings)
    values: dict[str, str] = {}
    for path in files:
        values |= values_in(path)
    return Variables(values | set_here, set_here.keys())


def values_of(variables: Variables | None) -> Mapping[str, str] | None:
    return None if variables is None else variables.values


def values_in(path: Path) -> dict[str, str]:
    """The variables in a YAML file: a mapping, in which those of a nested mapping are named with
    full stops.

    Values are texts exactly as written: 007 stays 007. Raises NothingRunError with the place of
    what is wrong.
    """
    import yaml

    try:
        text = path.read_text("utf-8")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise NothingRunError(f"--set-file: {path} cannot be read: {reason}") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise NothingRunError(f"--set-file: {path}, line {line}: {error.reason}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise NothingRunError(f"--set-file: {path}{place}: {error.problem}") from error
    except RecursionError as error:
        raise NothingRunError(
            f"--set-file: {path} has too many mappings inside each other",
        ) from error
    seen: set[int | str] = set()
    return dict(_values(path, "", node, seen)) if node is not None else {}


def _values(path: Path, name: str, node: Node, seen: set[int | str]) -> Iterator[tuple[str, str]]:
    import yaml

    def refuse(reason: str) -> NothingRunError:
        mark = node.start_mark
        return NothingRunError(
            f"--set-file: {path}, line {mark.line + 1}, column {mark.column + 1}: {reason}",
        )

    # An alias leads to a node for a second time, or to one around it.
    if id(node) in seen:
        raise refuse("an anchor with aliases is not read; write each value out")
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            word = key.value if isinstance(key, yaml.ScalarNode) else ""
            whole = f"{name}.{word}" if name else word
            if not word or whole in seen:
                node = key
                raise refuse(f"{whole} is there twice" if word else "a name is missing")
            seen.add(whole)
            yield from _values(path, whole, value, seen)
    elif not name or not isinstance(node, yaml.ScalarNode):
        raise refuse(
            f"{name or 'the file'} must be {'one text' if name else 'a mapping, NAME: VALUE'}, not "
            "a list or text",
        )
    elif node.tag == "tag:yaml.org,2002:null":
        raise refuse(f"{name} has no value; write '' for an empty text")
    else:
        try:
            yield from parse_assignments((f"{name}={node.value}",)).items()
        except ValueError as error:
            raise refuse(str(error)) from error
