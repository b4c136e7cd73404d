"""One entry of a rules table against the vocabulary: every keyword and every value, and what goes with what."""

from __future__ import annotations

from dataclasses import dataclass, field

from grammar.tree import Entry, Parameter, Value
from mqsc.diagnostic import Diagnostic
from mqsc.dlq.errors import COMBINATION, REPEATED, SYNTAX
from mqsc.dlq.keywords import ELSEWHERE, KEYWORDS, PATTERNS, Keyword
from mqsc.dlq.rules import Control, Pattern, Rule
from mqsc.dlq.values import InvalidValueError, Stored, refuse_other_quotes
from store.catalog import nearest

FORWARD_ONLY = ("FWDQ", "FWDQM", "HEADER")


@dataclass(slots=True)
class Checked:
    """An entry as far as it was understood.

    `found` holds every known keyword where it stands first, `values` and `written` those whose value is right. `meant`
    are the keywords that unknown ones look like: that such a keyword is missing is not said as well.
    """

    entry: Entry
    file: str
    found: dict[str, Parameter] = field(default_factory=dict)
    values: dict[str, Stored] = field(default_factory=dict)
    written: dict[str, Value] = field(default_factory=dict)
    meant: set[str] = field(default_factory=set)
    findings: list[Diagnostic] = field(default_factory=list)

    @property
    def controls(self) -> list[Parameter]:
        """Where control keywords stand."""
        return [place for keyword, place in self.found.items() if KEYWORDS[keyword].part == "control"]

    @property
    def is_control(self) -> bool:
        """Whether the entry is control data and nothing else."""
        return bool(self.controls) and len(self.controls) == len(self.found)

    def add(self, rule_id: str, place: Parameter | Value, message: str, right: str) -> None:
        """Note an error."""
        self.findings.append(Diagnostic(rule_id, "error", self.file, place.line, place.column, message, right))


def check_entry(entry: Entry, file: str, *, first: bool) -> Checked:
    """The entry with all its errors, in the order of the file; `first` says that no other entry stands before it."""
    checked = Checked(entry, file)
    for parameter in entry.parameters:
        _check_keyword(checked, parameter)
    if checked.controls:
        _check_control(checked, first)
    else:
        _check_rule(checked)
    checked.findings.sort(key=lambda finding: (finding.line, finding.column))
    return checked


def control_of(checked: Checked) -> Control:
    """The control data that an entry without errors says."""
    fields = {KEYWORDS[keyword].field: value for keyword, value in checked.values.items()}
    return Control(**fields, line=checked.entry.line, written=checked.written)  # type: ignore[arg-type]


def rule_of(checked: Checked) -> Rule:
    """The rule that an entry without errors says."""
    values = dict(checked.values)
    patterns = tuple(Pattern(row.keyword, values.pop(row.keyword)) for row in PATTERNS if row.keyword in values)
    fields = {KEYWORDS[keyword].field: value for keyword, value in values.items()}
    return Rule(patterns, **fields, line=checked.entry.line, written=checked.written)  # type: ignore[arg-type]


def _check_keyword(checked: Checked, parameter: Parameter) -> None:
    keyword = parameter.keyword
    if keyword not in KEYWORDS:
        _unknown_keyword(checked, parameter)
        return
    if keyword in checked.found:
        before = checked.found[keyword]
        message = f"{keyword} stands already in line {before.line}, column {before.column}"
        checked.add(REPEATED, parameter, message, f"{keyword} once")
    else:
        checked.found[keyword] = parameter
    _read_value(checked, KEYWORDS[keyword], parameter)


def _unknown_keyword(checked: Checked, parameter: Parameter) -> None:
    if parameter.keyword in ELSEWHERE:
        keyword = parameter.keyword
        checked.add(SYNTAX, parameter, f"{keyword} is no keyword here: {ELSEWHERE[keyword]}", f"no {keyword}")
        return
    parts = {KEYWORDS[each.keyword].part == "control" for each in checked.entry.parameters if each.keyword in KEYWORDS}
    candidates = [row.keyword for row in KEYWORDS.values() if not parts or (row.part == "control") in parts]
    near = nearest(parameter.keyword, candidates)
    checked.meant.add(near or "")
    checked.add(SYNTAX, parameter, f"{parameter.raw} is not a keyword", near or ", ".join(candidates))


def _read_value(checked: Checked, row: Keyword, parameter: Parameter) -> None:
    (value,) = parameter.values or ()
    try:
        if not value.text:
            raise InvalidValueError(SYNTAX, "the value is empty", row.type.wanted)
        refuse_other_quotes(value)
        stored = row.type.read(value)
    except InvalidValueError as refusal:
        checked.add(refusal.rule_id, value, f"{row.keyword}: {refusal.problem}", refusal.right)
        return
    checked.values.setdefault(row.keyword, stored)
    checked.written.setdefault(row.keyword, value)


def _check_control(checked: Checked, first: bool) -> None:
    if not checked.is_control:
        others = [place for place in checked.found.values() if place not in checked.controls]
        message = f"{others[0].keyword} belongs to a rule, {checked.controls[0].keyword} is control data"
        checked.add(COMBINATION, others[0], message, "an entry for the control data and one for each rule")
    elif not first:
        message = f"{checked.controls[0].keyword} is control data, which is the first entry or none"
        checked.add(COMBINATION, checked.controls[0], message, "all control data in the first entry")


def _check_rule(checked: Checked) -> None:
    if "ACTION" not in checked.found:
        if "ACTION" not in checked.meant:
            place = checked.entry.parameters[0]
            checked.add(COMBINATION, place, "the rule has no action", f"ACTION: {KEYWORDS['ACTION'].type.wanted}")
        return
    action = checked.values.get("ACTION")
    if action == "FWD" and not {"FWDQ"} & (checked.found.keys() | checked.meant):
        place = checked.found["ACTION"]
        checked.add(COMBINATION, place, "ACTION(FWD) does not say where to", f"FWDQ: {KEYWORDS['FWDQ'].type.wanted}")
    if action not in ("FWD", None):
        for keyword in FORWARD_ONLY:
            if keyword in checked.found:
                message = f"{keyword} goes with ACTION(FWD) alone, the action here is {action}"
                checked.add(COMBINATION, checked.found[keyword], message, f"ACTION(FWD), or no {keyword}")
