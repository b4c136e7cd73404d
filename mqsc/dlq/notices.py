"""The messages of the handler, and why each rule of a table applies to a message or not.

A failed call has two ids: one for reasons that an operator can cause, one for all others.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from mqsc.console.text.reasons import meaning_of
from mqsc.dlq.keywords import KEYWORDS, TextPattern
from mqsc.dlq.matching import DeadLetterFacts, applicable_rule, matches_text
from mqsc.dlq.rules_table import Pattern, Rule, RulesTable
from mqsc.store.constants import MQRC, name_of
from mqsc.store.error import MQError
from mqsc.store.table import cells

STARTED = "AMQ8708"
ENDING = "AMQ8709"
USAGE = "AMQ8710"
NO_HEADER = "AMQ8721"
PUT_FAILED = "AMQ8722"
# Ids of our own, because MQ has none for actions that only this handler has.
RETURNED = "MQSC0031"
TABLE_READ = "MQSC0032"
TABLE_REJECTED = "MQSC0033"
RULE_TOTALS = "MQSC0036"
TOTALS = "MQSC0037"
PUT_FAILED_AGAIN = "MQSC0038"
WOULD_LOSE_HEADER = "MQSC0039"


class CatalogRow(NamedTuple):
    """A message: its text with places for inserts, what causes it, and what to do about it."""

    text: str
    cause: str
    action: str


CATALOG = {
    message_id: CatalogRow(*texts)
    for message_id, *texts in cells(__file__, "notices.csv", ("id", "text", "cause", "action"))
}
TEXTS: Mapping[str, str] = {message_id: row.text for message_id, row in CATALOG.items()}


class FailedCall(NamedTuple):
    """The ids for a failed call: `expected` for these reasons, which an operator can cause,
    `unexpected` for others.
    """

    expected: str
    unexpected: str
    reasons: frozenset[int]


_ENDING = frozenset({MQRC.Q_MGR_QUIESCING, MQRC.Q_MGR_STOPPING})
_NO_RESOURCES = frozenset({MQRC.STORAGE_NOT_AVAILABLE, MQRC.RESOURCE_PROBLEM})
_REFUSED = frozenset({MQRC.NOT_AUTHORIZED, MQRC.SECURITY_ERROR, *_ENDING, *_NO_RESOURCES})
_NOT_USABLE = {
    MQRC.UNKNOWN_OBJECT_NAME,
    MQRC.ALIAS_BASE_Q_TYPE_ERROR,
    MQRC.UNKNOWN_ALIAS_BASE_Q,
    MQRC.OBJECT_IN_USE,
}

CONNECT = FailedCall(
    "AMQ8741",
    "AMQ8761",
    _REFUSED | {MQRC.Q_MGR_NAME_ERROR, MQRC.Q_MGR_NOT_AVAILABLE},
)
OPEN = FailedCall(
    "AMQ8745",
    "AMQ8765",
    _REFUSED | _NOT_USABLE | {MQRC.HANDLE_NOT_AVAILABLE, MQRC.OBJECT_DAMAGED},
)
CLOSE = FailedCall("AMQ8746", "AMQ8766", _NO_RESOURCES)
GET = FailedCall(
    "AMQ8748",
    "AMQ8767",
    _NO_RESOURCES | {MQRC.GET_INHIBITED, MQRC.OBJECT_CHANGED, MQRC.Q_DELETED},
)
END = FailedCall("AMQ8749", "AMQ8768", _NO_RESOURCES)
DISCONNECT = FailedCall("AMQ8769", "AMQ8769", frozenset())

# The queue manager has ended or is ending: the handler ends without further messages.
BROKEN = _ENDING | {MQRC.CONNECTION_BROKEN, MQRC.CONNECTION_QUIESCING, MQRC.CONNECTION_STOPPING}


class Notice(Struct, frozen=True):
    """A message of the handler, with its inserts for JSON output; `explanation` says what its
    reason code means.
    """

    message_id: str
    text: str
    inserts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def explanation(self) -> str:
        return " ".join(meaning_of(int(self.inserts["reason"]))) if "reason" in self.inserts else ""

    @property
    def line(self) -> str:
        """Id, text and explanation."""
        return " ".join(filter(None, (f"{self.message_id}: {self.text}", self.explanation)))

    @property
    def for_json(self) -> dict[str, Any]:
        explained = {"explanation": self.explanation} if self.explanation else {}
        return {"message_id": self.message_id, "text": self.text, **self.inserts, **explained}


def notice(message_id: str, **inserts: Any) -> Notice:
    return Notice(message_id, TEXTS[message_id].format(**inserts), inserts)


def failure_notice(call: FailedCall, error: MQError, name: str) -> Notice:
    """The message for a failed call on the object `name`."""
    reason = int(error.reason)
    message_id = call.expected if reason in call.reasons else call.unexpected
    inserts = {"completion": int(error.completion), "reason": reason, "name": name or "' '"}
    text = TEXTS[message_id].format(**{**inserts, "reason": f"{reason} {name_of('MQRC', reason)}"})
    return Notice(message_id, text, inserts)


# Why a rule applies to a message or not: the fields that differ from the patterns of each rule.

RuleOutcome = Literal["chosen", "no match", "attempts used up"]


class Mismatch(Struct, frozen=True):
    """A pattern that a field does not match. `field` is the name of MQ for it; pattern and value
    are as written in a rules table.
    """

    keyword: str
    field: str
    pattern: str
    value: str

    def __str__(self) -> str:
        return f"{self.keyword}({self.pattern}), but {self.field} is {self.value}"


class RuleResult(Struct, frozen=True):
    """`mismatches` is empty unless the outcome is "no match"."""

    rule: Rule
    outcome: RuleOutcome
    mismatches: tuple[Mismatch, ...] = ()

    def __str__(self) -> str:
        reasons = "; ".join(map(str, self.mismatches))
        return f"line {self.rule.line}: {self.outcome}" + (f": {reasons}" if reasons else "")


def explain(table: RulesTable, facts: DeadLetterFacts, attempts: int = 0) -> Iterator[RuleResult]:
    """The rules in table order, up to and including the one that applies; all of them when no
    rule applies.
    """
    matching: list[Rule] = []
    for rule in table.rules:
        mismatches = mismatches_of(rule, facts)
        if mismatches:
            yield RuleResult(rule, "no match", mismatches)
            continue
        matching.append(rule)
        if applicable_rule(matching, attempts):
            yield RuleResult(rule, "chosen")
            return
        yield RuleResult(rule, "attempts used up")


def mismatches_of(rule: Rule, facts: DeadLetterFacts) -> tuple[Mismatch, ...]:
    """Every pattern of the rule that the message does not match."""
    return tuple(mismatch for pattern in rule.patterns if (mismatch := _mismatch(pattern, facts)))


def _mismatch(pattern: Pattern, facts: DeadLetterFacts) -> Mismatch | None:
    definition = KEYWORDS[pattern.keyword]
    value = getattr(facts, definition.field)
    if isinstance(definition.type, TextPattern):
        matches = matches_text(str(pattern.value), value, definition.type.length)
    else:
        matches = pattern.value in (None, value)
    if matches:
        return None
    name = definition.write(value)
    written = f"{value} {name}" if isinstance(value, int) and name != str(value) else name
    return Mismatch(pattern.keyword, definition.source, definition.write(pattern.value), written)
