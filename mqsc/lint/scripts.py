"""The commands of scripts as lint rules see them, how a rule is declared, and the option that
selects rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

import click
from msgspec import Struct, field
from msgspec.structs import replace

from mqsc.diagnostic import Description, Diagnostic, Location, Severity, Violation, explained_by
from mqsc.grammar.lines import LogicalLine
from mqsc.grammar.parse import parse_command
from mqsc.grammar.tree import Command, Parameter, SyntaxFault
from mqsc.language.command_table import remarks
from mqsc.language.refusal import CommandRefusal
from mqsc.language.request import Request
from mqsc.lint import script_command
from mqsc.script import is_ending, substitute, unset_in
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored, SystemObject, defaults
from mqsc.store.catalog.spelling import corrections, did_you_mean, similar_names
from mqsc.verbs.analysis import analyse, syntax_of, with_noun_second

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


# The names of objects that a queue manager is created with; scripts use them without defining them.
SYSTEM = "SYSTEM."
# The similarity from which a name may be a slip for another.
SIMILAR = 0.75
# To compare so many names takes about a second.
_MOST_COMPARED = 100_000
# Commands on an object that must exist.
NEEDS_OBJECT = frozenset(
    {"ALTER", "DELETE", "CLEAR", "START", "STOP", "PING", "RESET", "RESOLVE", "MOVE"},
)
# Attributes that count as given even with their default value, because writing them shows intent.
KEPT_DEFAULTS = frozenset({"TRIGGER", "TRIGINT", "CONTROL"})


class GivenValue(NamedTuple):
    value: Stored
    location: Location


class DefinedObject(Struct):
    """An object after the commands so far.

    `attributes` has those that differ from `base`, the attributes that the object started with:
    the defaults of its kind, those of the LIKE object, or those of a SYSTEM object. `known` is
    False when `base` is unknown. `switched_on_again` records an ALTER with TRIGGER while TRIGGER is
    on: it must have been switched off in between. `disposition` is QSGDISP.
    """

    kind: Kind
    name: str
    location: Location
    base: dict[str, Stored]
    known: bool
    attributes: dict[str, GivenValue] = field(default_factory=dict)
    switched_on_again: bool = False
    disposition: str = "QMGR"

    def get(self, keyword: str) -> Stored | None:
        """The value of an attribute, None when it is unknown."""
        attribute = self.attributes.get(keyword)
        if attribute is not None:
            return attribute.value
        return self.base.get(keyword) if self.known else None

    def location_of(self, keyword: str) -> Location:
        """The location of an attribute, or of the object when the attribute was not given."""
        attribute = self.attributes.get(keyword)
        return attribute.location if attribute else self.location

    def apply(self, command: script_command.ScriptCommand) -> None:
        """Set the attributes of a command."""
        for keyword, value in command.attributes.items():
            if self.known and keyword not in KEPT_DEFAULTS and self.base.get(keyword) == value:
                self.attributes.pop(keyword, None)
            else:
                self.attributes[keyword] = GivenValue(value, command.location_of(keyword))


class Scripts(Struct):
    """The state after the commands of all files so far.

    `acted_on` has the objects that commands other than DEFINE used before or without a definition,
    `deleted` those that DELETE removed and nothing defined again, `started` the noun and name of
    what was started, `records` the SET CHLAUTH commands, `grants` the commands on authority
    records. `replacing` has the files with a DEFINE REPLACE,
    `not_replacing` by file the DEFINEs with neither REPLACE nor NOREPLACE.
    """

    objects: dict[tuple[str, str], DefinedObject] = field(default_factory=dict)
    qmgr: DefinedObject | None = None
    acted_on: dict[tuple[str, str], Location] = field(default_factory=dict)
    deleted: dict[tuple[str, str], Location] = field(default_factory=dict)
    started: set[tuple[str, str]] = field(default_factory=set)
    replacing: set[str] = field(default_factory=set)
    not_replacing: dict[str, list[tuple[str, Location]]] = field(default_factory=dict)
    records: list[script_command.ScriptCommand] = field(default_factory=list)
    grants: list[script_command.ScriptCommand] = field(default_factory=list)
    # By file and platform: the first word that only this platform has, its location, and the number
    # of such words.
    of_platforms: dict[tuple[str, str], tuple[str, Location, int]] = field(default_factory=dict)
    # By file and reason: the first remark on something that has no effect here, and its location.
    inert: dict[tuple[str, str], tuple[str, Location]] = field(default_factory=dict)
    _cases: dict[tuple[str, str], str] = field(default_factory=dict)
    _compared: int = 0

    def apply(self, command: script_command.ScriptCommand) -> None:
        request = command.request
        self._note_platforms(command)
        for keyword, sentence in remarks(request) if request is not None else ():
            reason = sentence.partition(": ")[2]
            self.inert.setdefault((command.file, reason), (sentence, command.location_of(keyword)))
        if command.verb == "START" and request is not None:
            self.started.add((command.noun, request.name))
        kind = command.kind
        if kind is None or request is None or command.disposition == "COPY":
            # A copy is made by the definition of its GROUP object.
            return
        if kind.keyword == "QMGR":
            self._alter_queue_manager(command, kind)
        elif kind.keyword == "AUTHREC":
            self.grants.append(command)
        elif command.verb == "SET" and kind.keyword == "CHLAUTH":
            self.records.append(command)
        elif command.verb == "DEFINE":
            self._define(command, kind)
        elif command.verb in NEEDS_OBJECT:
            self._act(command, kind)

    def _note_platforms(self, command: script_command.ScriptCommand) -> None:
        for word, platform in script_command.platform_words(command):
            if platform in script_command.ONE_PLATFORM:
                key = command.file, platform
                words = self.of_platforms.get(
                    key,
                    (script_command.word_text(command, word), command.location(word), 0),
                )
                first, location, count = words
                self.of_platforms[key] = first, location, count + 1

    def _alter_queue_manager(self, command: script_command.ScriptCommand, kind: Kind) -> None:
        if command.verb == "ALTER":
            if self.qmgr is None:
                self.qmgr = DefinedObject(kind, "", command.location_of(), defaults(kind, ""), True)
            self.qmgr.apply(command)

    def _define(self, command: script_command.ScriptCommand, kind: Kind) -> None:
        subtype = str(command.attributes.get(kind.selector, ""))
        base, known = dict[str, Stored](), True
        like = command.options.get("LIKE")
        source = self.find(kind, str(like)) if like else None
        if like and source is None:
            known = False
        elif source is not None:
            base = {
                **source.base,
                **{word: attribute.value for word, attribute in source.attributes.items()},
            }
            known = source.known
        else:
            base = defaults(kind, subtype)
        replace = command.options.get("REPLACE")
        if replace == "REPLACE":
            self.replacing.add(command.file)
        elif replace is None and "REPLACE" in syntax_of(command.verb, command.noun).words:
            self.not_replacing.setdefault(command.file, []).append(
                (command.title, command.location_of()),
            )
        where, disposition = command.location_of(), command.disposition
        defined = DefinedObject(kind, command.name, where, base, known, disposition=disposition)
        defined.apply(command)
        space = kind.namespace_of(subtype)
        self.objects[space, command.name] = defined
        self.deleted.pop((space, command.name), None)
        self._cases[space, command.name.upper()] = command.name

    def _act(self, command: script_command.ScriptCommand, kind: Kind) -> None:
        defined = self.find(kind, command.name)
        if defined is None:
            self.acted_on.setdefault((kind.namespace, command.name), command.location_of())
        if command.verb == "DELETE":
            self.objects.pop((kind.namespace, command.name), None)
            self.deleted[kind.namespace, command.name] = command.location_of()
        elif command.verb == "ALTER":
            if defined is None:
                defined = shipped(kind.namespace, command.name, command.location_of())
                defined = defined or DefinedObject(
                    kind,
                    command.name,
                    command.location_of(),
                    {},
                    known=False,
                )
                self.objects[kind.namespace, command.name] = defined
            defined.switched_on_again |= (
                defined.get("TRIGGER") == "TRIGGER" == command.attributes.get("TRIGGER")
            )
            defined.apply(command)

    def find(self, kind: Kind, name: str, subtype: str = "") -> DefinedObject | None:
        """The object of that name, of this kind or another kind in the same namespace."""
        return self.objects.get((kind.namespace_of(subtype), name))

    def in_other_case(self, namespace: str, name: str) -> str:
        """The name of an object that differs only in case; blank when there is none."""
        other = self._cases.get((namespace, name.upper()), name)
        return other if other != name and (namespace, other) in self.objects else ""

    def similar_name(self, namespace: str, name: str) -> str:
        """The object whose name is most like this one; blank when none is similar, or too many
        were compared.
        """
        names = [other for space, other in self.objects if space == namespace]
        self._compared += len(names)
        if self._compared > _MOST_COMPARED:
            return ""
        return next(iter(similar_names(name, names, alike=SIMILAR)), "")

    def of_kind(self, keyword: str) -> Iterator[DefinedObject]:
        """The objects of this kind, in the order in which they first occur."""
        return (each for each in self.objects.values() if each.kind.keyword == keyword)

    def seem_complete(self, kind: Kind) -> bool:
        """Whether the files probably define every object that they use in the namespace of `kind`.

        They define several objects, some of them in that namespace, and change or copy no object
        that they do not define.
        """
        known = [each for each in self.objects.values() if each.known]
        own = sum(each.kind.namespace == kind.namespace for each in known)
        foreign = any(key not in self.objects and not is_shipped(key[1]) for key in self.acted_on)
        return len(known) == len(self.objects) and not foreign and (own > 1 or len(known) > 3)


def is_shipped(name: str) -> bool:
    """Whether the name may be one of the objects that a queue manager is created with."""
    return name.startswith(SYSTEM)


def shipped(namespace: str, name: str, location: Location) -> DefinedObject | None:
    """The SYSTEM object of that name as a queue manager is created with it; None when there is
    none.
    """
    system_object = _shipped().get((namespace, name))
    return (
        DefinedObject(
            KINDS[system_object.kind], name, location, system_object.attributes(), known=True
        )
        if system_object
        else None
    )


@cache
def _shipped() -> dict[tuple[str, str], SystemObject]:
    return {(shipped.namespace, shipped.name): shipped for shipped in SYSTEM_OBJECTS}


# Reads a script into commands, and finds every error.
#
# An error in one command never hides the errors of the next, nor one bad parameter those of the
# other parameters.

# A parameter is missing, perhaps because it had an error and was removed.
MISSING = frozenset({"AMQ8214E", "AMQ8421E"})
BAD_NAME = "AMQ8424E"
# Bounds the time for a command that consists of errors.
MOST_FAULTS = 20
AFTER_END = "MQSC-C21"


def read_script(
    lines: Iterable[LogicalLine],
    file: str = "",
    values: Mapping[str, str] | None = None,
) -> Iterator[script_command.ScriptCommand | Diagnostic]:
    """Every command, preceded by its errors, as far as END.

    `values` are the values of the script's variables; with None, `${NAME}` is ordinary text.
    """
    commands = iter(lines)
    for line in commands:
        if is_ending(line):
            yield from _after_end(next(commands, None), file)
            return
        unset = [] if values is None else [*unset_in(line, values)]
        for placeholder in unset:
            yield Diagnostic(
                "AMQ8405I",
                "error",
                file,
                placeholder.line,
                placeholder.column,
                placeholder.sentence,
                f"--set {placeholder.name}=VALUE",
            )
        if not unset:
            yield from _read(line if values is None else substitute(line, values), file)


def _read(line: LogicalLine, file: str) -> Iterator[script_command.ScriptCommand | Diagnostic]:
    try:
        parsed = with_noun_second(parse_command(line))
    except SyntaxFault as fault:
        message_id = "AMQ8406I" if line.unfinished else "AMQ8405I"
        yield _diagnostic(
            line,
            file,
            CommandRefusal(message_id, fault.reason, fault.line, fault.column),
        )
        return
    request, refusals = _analyse(parsed)
    yield from (_diagnostic(line, file, refusal) for refusal in refusals)
    command = script_command.script_command(file, parsed, request, has_errors=bool(refusals))
    if command is not None:
        yield command


def _analyse(parsed: Command) -> tuple[Request | None, list[CommandRefusal]]:
    """The request without its bad parameters, and the error of each of those."""
    refusals: list[CommandRefusal] = []
    is_named = True
    while len(refusals) < MOST_FAULTS:
        result = analyse(parsed)
        if isinstance(result, Request):
            return result if is_named else None, refusals
        if result.message_id in MISSING and refusals:
            return None, refusals
        refusals.append(result)
        index = _parameter_at(parsed, result)
        if not index or (index == 1 and result.message_id != BAD_NAME):
            return None, refusals
        is_named = is_named and index > 1
        if result.is_last:
            parsed = replace(parsed, parameters=parsed.parameters[:index])
        else:
            others = (*parsed.parameters[:index], *parsed.parameters[index + 1 :])
            parsed = _with_valid_name(parsed) if index == 1 else replace(parsed, parameters=others)
    return None, refusals


def _parameter_at(parsed: Command, refusal: CommandRefusal) -> int | None:
    """The index of the parameter that the error is about."""
    place = (refusal.line, refusal.column)
    return next(
        (index for index, each in enumerate(parsed.parameters) if place in _places(each)),
        None,
    )


def _places(parameter: Parameter) -> list[tuple[int, int]]:
    return [
        (parameter.line, parameter.column),
        *((value.line, value.column) for value in parameter.values or ()),
    ]


def _with_valid_name(parsed: Command) -> Command:
    """Replace the name of the object, so that the other parameters can be checked."""
    verb, noun, *others = parsed.parameters
    named = replace(noun, values=tuple(replace(value, text="A") for value in noun.values or ()))
    return replace(parsed, parameters=(verb, named, *others))


def _diagnostic(line: LogicalLine, file: str, refusal: CommandRefusal) -> Diagnostic:
    suggestion = script_command.suggestion_for(*_source_at(line, refusal))
    return Diagnostic(
        refusal.message_id,
        "error",
        file,
        refusal.line,
        refusal.column,
        refusal.told(line),
        suggestion,
    )


def _source_at(line: LogicalLine, refusal: CommandRefusal) -> tuple[str, bool, int]:
    """The source line of the error, whether the error is at the start of the command, and its
    offset in the line.
    """
    starts_command = (refusal.line, refusal.column) == line.position(0)
    places = (
        (each.text, refusal.column - each.column)
        for each in line.source
        if each.number == refusal.line
    )
    text, at = next(places, ("", 0))
    return text, starts_command, at


def _after_end(line: LogicalLine | None, file: str) -> Iterator[Diagnostic]:
    if line is not None:
        row, column = line.position(0)
        message, suggestion = "commands after END are not read", "END as the last line"
        yield Diagnostic(AFTER_END, "warning", file, row, column, message, suggestion)


# A lint rule for MQSC scripts: a function that finds violations, with its reason and examples as
# docstring.
#
# The function gets one command (with the state that the scripts have before it), one object (as all
# commands leave it), or all the scripts.

Check: TypeAlias = Callable[..., Iterator[Violation]]
Subject = Literal["command", "object", "scripts"]


class LintRule(Description, frozen=True):
    """`check` gets each thing that the rule is `of`, and the scripts."""

    of: Subject
    check: Check


DeclaredCheck = TypeVar("DeclaredCheck", bound=Check)
# The rules by number that functions are declared to be, when their modules are imported.
DECLARED: dict[str, LintRule] = {}


def lint_rule(
    rule_id: str,
    severity: Severity,
    of: Subject,
    title: str,
) -> Callable[[DeclaredCheck], DeclaredCheck]:
    """Declare a function to be the lint rule with this number, which no other may have."""

    def declare(check: DeclaredCheck) -> DeclaredCheck:
        if rule_id in DECLARED:
            raise ValueError(f"there are two lint rules {rule_id}")
        reason, bad, good = explained_by(check)
        DECLARED[rule_id] = LintRule(rule_id, severity, title, reason, bad, good, of, check)
        return check

    return declare


# The type of options that name lint rules.

_PREFIX = "MQSC-"
_KINDS = ("warning", "note")


class RuleIds(click.ParamType):  # type: ignore[type-arg]
    """Rules by id (MQSC-C08, or without MQSC-) or all of a severity (warning, note), with commas
    between, as ids.
    """

    name = "rules"

    def __init__(self, descriptions: Sequence[Description]) -> None:
        self._known = {
            description.rule_id: description
            for description in descriptions
            if description.severity in _KINDS
        }

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> frozenset[str]:
        if isinstance(value, frozenset):
            return value
        rule_ids: set[str] = set()
        for word in str(value).split(","):
            rule_ids |= self._named(word.strip(), param, ctx)
        return frozenset(rule_ids)

    def _named(
        self,
        word: str,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> set[str]:
        if word.lower() in _KINDS:
            return {
                rule_id for rule_id, each in self._known.items() if each.severity == word.lower()
            }
        wanted = word.upper()
        for rule_id in (wanted, _PREFIX + wanted):
            if rule_id in self._known:
                return {rule_id}
        near = did_you_mean(corrections(wanted, [*self._known, *_KINDS])[:1])
        self.fail(
            f"{word!r} is not a rule of mqsc check; {near or 'examples: C08, MQSC-C22, note'}",
            param,
            ctx,
        )

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """Complete the last of the rules."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        titles = {rule_id: rule.title for rule_id, rule in self._known.items()} | dict.fromkeys(
            _KINDS,
            "all of them",
        )
        is_short = last and not _PREFIX.startswith(last[: len(_PREFIX)].upper())
        words = {
            word.removeprefix(_PREFIX) if is_short else word: title
            for word, title in titles.items()
        }
        already = before.split(",")
        fitting = (
            word for word in words if word.lower().startswith(last.lower()) and word not in already
        )
        return [CompletionItem(f"{before}{comma}{each}", help=words[each]) for each in fitting]
