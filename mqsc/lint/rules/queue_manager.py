"""Lint rules on the queue manager: what it must have already (found by the trial run), and what has
no effect here.
"""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.scripts import Scripts


@lint_rule("MQSC-C39", "note", "scripts", "No effect here")
def without_effect(scripts: Scripts) -> Iterator[Violation]:
    """The queue manager keeps and displays the object or attribute, but nothing acts on it.
    docs/commands.md lists what has no effect.

    Bad:
        DEFINE QLOCAL(A) CLUSTER(SALES)

    Good:
        DEFINE QLOCAL(A)
    """
    # Reported once per file and reason, as in a run.
    for sentence, location in scripts.inert.values():
        yield Violation(
            location,
            sentence.removesuffix("."),
            "nothing, if the script is for a queue manager that has it",
        )
