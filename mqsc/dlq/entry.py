"""Checks one entry of a rules table: its keywords and their values, and what they need."""

import re
from collections.abc import Mapping

from msgspec import Struct, field

from mqsc.diagnostic import Diagnostic
from mqsc.dlq.keywords import (
    ACTIONS,
    KEYWORDS,
    OTHER_HANDLERS,
    PATTERNS,
    RULE_ACTIONS,
    Keyword,
    RuleValue,
    actions_with,
)
from mqsc.dlq.rules_table import Control, Pattern, Rule
from mqsc.dlq.table_errors import COMBINATION, OUT_OF_RANGE, REPEATED, SYNTAX, TOO_LONG
from mqsc.grammar.tree import OTHER_QUOTES, Entry, Parameter, Value
from mqsc.store.catalog import nearest
from mqsc.store.catalog.spelling import corrections
from mqsc.store.catalog.types import InvalidValueError, Problem, Word

# How similar a word is to itself with a letter too many, too few or wrong.
_ALLOWED_UNQUOTED = re.compile(r"[A-Za-z0-9./_%?*]")
# Quotes of other languages and of word processors that tables contain in place of apostrophes.
_SIGNED_OR_WILD = re.compile(r"[+-]\d+|.*[*?].*", re.ASCII | re.DOTALL)
_WORDINGS: Mapping[Problem, str] = {
    "range": "is out of range",
    "length": "is too long",
    "empty": "is blank",
    "number": "is not a number",
    "name": "has a wildcard",
}


class Checked(Struct):
    """An entry as far as it could be read.

    `parameters` has the first occurrence of every known keyword, `values` and `written` only those
    with a valid value. `meant` has the known keywords that unknown ones resemble: they are not
    reported as missing too.
    """

    entry: Entry
    file: str
    parameters: dict[str, Parameter] = field(default_factory=dict)
    values: dict[str, RuleValue] = field(default_factory=dict)
    written: dict[str, Value] = field(default_factory=dict)
    meant: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @property
    def controls(self) -> list[Parameter]:
        """The control keywords of the entry."""
        return [
            place
            for keyword, place in self.parameters.items()
            if KEYWORDS[keyword].part == "control"
        ]

    @property
    def is_control(self) -> bool:
        """Whether the entry has control keywords only."""
        return bool(self.controls) and len(self.controls) == len(self.parameters)

    def add(self, rule_id: str, place: Parameter | Value, message: str, right: str) -> None:
        self.diagnostics.append(
            Diagnostic(rule_id, "error", self.file, place.line, place.column, message, right),
        )


def check_entry(entry: Entry, file: str, *, first: bool) -> Checked:
    """The entry with all its errors in the order of the file; `first` says that it is the first
    entry of the table.
    """
    checked = Checked(entry, file)
    for parameter in entry.parameters:
        _check_keyword(checked, parameter)
    if checked.controls:
        _check_control(checked, first)
    else:
        _check_rule(checked)
    checked.diagnostics.sort(key=lambda diagnostic: (diagnostic.line, diagnostic.column))
    return checked


def control_of(checked: Checked) -> Control:
    """The control data of an entry without errors."""
    fields = {KEYWORDS[keyword].field: value for keyword, value in checked.values.items()}
    return Control(**fields, line=checked.entry.line, written=checked.written)  # type: ignore[arg-type]


def rule_of(checked: Checked) -> Rule:
    """The rule of an entry without errors."""
    values = dict(checked.values)
    patterns = tuple(
        Pattern(row.keyword, values.pop(row.keyword)) for row in PATTERNS if row.keyword in values
    )
    fields = {KEYWORDS[keyword].field: value for keyword, value in values.items()}
    return Rule(patterns, **fields, line=checked.entry.line, written=checked.written)  # type: ignore[arg-type]


def _check_keyword(checked: Checked, parameter: Parameter) -> None:
    keyword = parameter.keyword
    if keyword not in KEYWORDS:
        _unknown_keyword(checked, parameter)
        return
    if keyword in checked.parameters:
        before = checked.parameters[keyword]
        message = f"{keyword} was already given in line {before.line}, column {before.column}"
        checked.add(REPEATED, parameter, message, f"{keyword} only once")
    else:
        checked.parameters[keyword] = parameter
    _read_value(checked, KEYWORDS[keyword], parameter)


def _unknown_keyword(checked: Checked, parameter: Parameter) -> None:
    keyword = parameter.keyword
    if keyword in OTHER_HANDLERS:
        checked.add(
            SYNTAX,
            parameter,
            f"{keyword} is not supported: {OTHER_HANDLERS[keyword]}",
            f"no {keyword}",
        )
        return
    parts = {
        KEYWORDS[parameter.keyword].part == "control"
        for parameter in checked.entry.parameters
        if parameter.keyword in KEYWORDS
    }
    candidates = [
        row.keyword for row in KEYWORDS.values() if not parts or (row.part == "control") in parts
    ]
    near = nearest(keyword, candidates)
    checked.meant.add(near or "")
    checked.add(
        SYNTAX,
        parameter,
        f"{parameter.raw} is not a keyword",
        near or ", ".join(candidates),
    )


def _read_value(checked: Checked, definition: Keyword, parameter: Parameter) -> None:
    (value,) = parameter.values or ()
    problem = _quoting_problem(definition, value)
    if problem is not None:
        message, right = problem
        checked.add(SYNTAX, value, f"{definition.keyword}: {message}", right)
        return
    try:
        read = definition.read(value.text)
    except InvalidValueError as error:
        wording = _WORDINGS.get(error.problem, "is not a valid value")
        message = f"{definition.keyword}: {value.raw} {wording}"
        checked.add(
            _rule_id(error.problem, value.text),
            value,
            message,
            _suggested(definition, value.text, error),
        )
        return
    checked.values.setdefault(definition.keyword, read)
    checked.written.setdefault(definition.keyword, value)


def _suggested(definition: Keyword, text: str, error: InvalidValueError) -> str:
    """The suggested value. Among few words only a typing error suggests one: another word may do
    the opposite.
    """
    if isinstance(definition.type, Word) and not corrections(text, definition.type.words):
        return error.wanted
    return error.near or error.wanted


def _quoting_problem(definition: Keyword, value: Value) -> tuple[str, str] | None:
    """The problem with the quoting of a value, and its solution; None when there is no problem."""
    if not value.text:
        return "the value is empty", definition.type.wanted
    if value.quoted:
        return None
    if value.in_other_quotes:
        inside = value.raw.strip(OTHER_QUOTES) or " "
        return f"{value.raw} must be in apostrophes, not in other quotes", f"'{inside}'"
    if not definition.is_text or (definition.type.words and value.raw.startswith("&")):
        return None
    odd = next(
        (character for character in value.raw if not _ALLOWED_UNQUOTED.fullmatch(character)),
        None,
    )
    return (
        None
        if odd is None
        else (f"{value.raw} contains {odd!r} and needs quotes", f"'{value.raw}'")
    )


def _rule_id(problem: Problem, text: str) -> str:
    if problem == "length":
        return TOO_LONG
    # A sign or a wildcard in a number is reported as a number out of range.
    if problem == "range" or (problem == "number" and _SIGNED_OR_WILD.fullmatch(text.strip(" "))):
        return OUT_OF_RANGE
    return SYNTAX


def _check_control(checked: Checked, first: bool) -> None:
    if not checked.is_control:
        others = [place for place in checked.parameters.values() if place not in checked.controls]
        message = (
            f"{others[0].keyword} belongs in a rule, {checked.controls[0].keyword} in the control "
            "data"
        )
        checked.add(
            COMBINATION,
            others[0],
            message,
            "one entry for the control data and one for each rule",
        )
    elif not first:
        message = f"{checked.controls[0].keyword} is control data, which must be the first entry"
        checked.add(
            COMBINATION,
            checked.controls[0],
            message,
            "all control data in the first entry",
        )


def _check_rule(checked: Checked) -> None:
    if "ACTION" not in checked.parameters:
        if "ACTION" not in checked.meant:
            place = checked.entry.parameters[0]
            checked.add(
                COMBINATION,
                place,
                "the rule has no action",
                f"ACTION: {KEYWORDS['ACTION'].type.wanted}",
            )
        return
    action = checked.values.get("ACTION")
    if action is None:
        return
    _check_keywords_of_other_actions(checked, str(action))
    _check_required_keyword(checked, str(action))


def _check_keywords_of_other_actions(checked: Checked, action: str) -> None:
    for definition in ACTIONS:
        keyword = definition.keyword
        allowed = actions_with(keyword)
        if keyword not in checked.parameters or not allowed or action in allowed:
            continue
        right = " or ".join(f"ACTION({name})" for name in allowed)
        checked.add(
            COMBINATION,
            checked.parameters[keyword],
            f"{keyword} is valid only with {right}; the action here is {action}",
            f"{right}, or no {keyword}",
        )


def _check_required_keyword(checked: Checked, action: str) -> None:
    effect = RULE_ACTIONS[action]
    if not effect.keywords:
        return
    required = effect.keywords[0]
    if required in checked.parameters or required in checked.meant:
        return
    checked.add(
        COMBINATION,
        checked.parameters["ACTION"],
        f"ACTION({action}) needs {effect.required_value}",
        f"{required}: {KEYWORDS[required].type.wanted}",
    )
