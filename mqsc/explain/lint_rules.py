"""Explains the rules of `mqsc check` and `mqsc dlq check`, and the errors in scripts and rules
tables.
"""

from collections.abc import Iterator

from mqsc.diagnostic import Description
from mqsc.dlq.table_check import DESCRIPTIONS as TABLES
from mqsc.language.explanation import Explanation, Part
from mqsc.lint.script_check import DESCRIPTIONS as SCRIPTS

DESCRIPTIONS: tuple[Description, ...] = (*SCRIPTS, *TABLES)


def explain_rule(word: str) -> Iterator[Explanation]:
    """Explain a rule, with its examples; `MQSC-` and the severity of an error can be left out."""
    wanted = word.upper()
    for rule in DESCRIPTIONS:
        short = (
            rule.rule_id.rstrip("IWES")
            if rule.severity == "error"
            else rule.rule_id.removeprefix("MQSC-")
        )
        if wanted in (rule.rule_id, short):
            yield _explained(rule)


def _explained(rule: Description) -> Explanation:
    parts = [Part("severity", rule.severity), Part("why", rule.reason), Part("bad", rule.bad, True)]
    if rule.good:
        parts.append(Part("good", rule.good, True))
    kind = "error" if rule.severity == "error" else "rule"
    return Explanation(kind, rule.rule_id, f"{rule.rule_id}: {rule.title}", tuple(parts))


def rule_ids() -> list[str]:
    """The ids of all rules and errors."""
    return [each.rule_id for each in DESCRIPTIONS]
