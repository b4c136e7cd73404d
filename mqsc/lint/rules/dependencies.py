"""Lint rules on the queue manager: what it must have already (found by the trial run), and what has no effect here."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import LintRule
from mqsc.lint.rules.platforms import not_at_once
from mqsc.lint.scripts import Scripts
from mqsc.lint.trial_run import DEPENDS_ON_QUEUE_MANAGER


def without_effect(scripts: Scripts) -> Iterator[Violation]:
    """Reported once per file and reason, as in a run."""
    for sentence, location in scripts.inert.values():
        yield Violation(
            location, sentence.removesuffix("."), "nothing, if the script is for a queue manager that has it"
        )


RULES = (
    LintRule(
        DEPENDS_ON_QUEUE_MANAGER,
        "note",
        "Depends on the queue manager",
        "The command needs an object, a record or a running program that these files do not provide, or another file "
        "defines the object too. On a new queue manager it fails.",
        "ALTER QLOCAL(A) MAXDEPTH(100)\n",
        "DEFINE QLOCAL(A)\nALTER QLOCAL(A) MAXDEPTH(100)\n",
    ),
    LintRule(
        "MQSC-C39",
        "note",
        "No effect here",
        "The queue manager keeps and displays the object or attribute, but nothing acts on it. docs/commands.md lists "
        "what has no effect.",
        "DEFINE QLOCAL(A) CLUSTER(SALES)\n",
        "DEFINE QLOCAL(A)\n",
        of_scripts=without_effect,
    ),
    LintRule(
        "MQSC-C40",
        "note",
        "Type not directly after the name",
        "CHLTYPE, AUTHTYPE, TRPTYPE of a listener and TYPE of a channel authentication record must follow the name on "
        "platforms other than z/OS; elsewhere in the command they are a syntax error there.",
        "DEFINE CHANNEL(A) DESCR('x') CHLTYPE(SVRCONN)\n",
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) DESCR('x')\n",
        of_command=not_at_once,
    ),
)
