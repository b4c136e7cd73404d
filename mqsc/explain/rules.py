"""Rules of `mqsc check` and `mqsc dlq check`, and what makes a script or a rules table invalid."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.diagnostic import Description
from mqsc.dlq.table_check import DESCRIPTIONS as TABLES
from mqsc.explain.explanation import Explanation, Part
from mqsc.lint.script_check import DESCRIPTIONS as SCRIPTS

DESCRIPTIONS: tuple[Description, ...] = (*SCRIPTS, *TABLES)


def explain_rule(word: str) -> Iterator[Explanation]:
    """What a rule is about, why, and its examples; `MQSC-` and the severity of an error may be left out."""
    wanted = word.upper()
    for each in DESCRIPTIONS:
        short = each.rule_id[:-1] if each.severity == "error" else each.rule_id.removeprefix("MQSC-")
        if wanted in (each.rule_id, short):
            yield _explained(each)


def _explained(rule: Description) -> Explanation:
    parts = [Part("severity", rule.severity), Part("why", rule.reason), Part("bad", rule.bad, True)]
    good = getattr(rule, "good", "")
    if good:
        parts.append(Part("good", good, True))
    kind = "error" if rule.severity == "error" else "rule"
    return Explanation(kind, rule.rule_id, f"{rule.rule_id}: {rule.title}", tuple(parts))


def rule_ids() -> list[str]:
    """Every id that a finding can have."""
    return [each.rule_id for each in DESCRIPTIONS]
