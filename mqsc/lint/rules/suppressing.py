"""Lint rules on the comments that allow what other rules would report."""

from __future__ import annotations

from mqsc.lint.lint_rule import LintRule
from mqsc.lint.suppressions import INVALID, UNUSED

# A queue that MQSC-C08 warns of.
_QUEUE = "DEFINE QLOCAL(A) BOTHRESH(3)\n"

RULES = (
    LintRule(
        INVALID,
        "warning",
        "Comment that allows nothing",
        "A comment allows a warning only if it names rules that exist and gives a reason after a colon. Errors cannot "
        "be allowed, because the command would fail.",
        f"* mqsc: allow C08\n{_QUEUE}",
        f"* mqsc: allow C08: an operator drains this queue every day\n{_QUEUE}",
    ),
    LintRule(
        UNUSED,
        "note",
        "Comment that is no longer needed",
        "The command that the comment is for no longer violates the rule, so the comment would only hide a mistake "
        "made later.",
        "* mqsc: allow C08: an operator drains this queue every day\nDEFINE QLOCAL(A)\n",
        f"* mqsc: allow C08: an operator drains this queue every day\n{_QUEUE}",
    ),
)
