"""What a piece of advice is: a number, a reason, a script that deserves it and one that does not, and a function.

The function yields hits. It is about one statement (with what the scripts say before it), about one object (as all
statements leave it), or about the scripts as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mqsc.diagnostic import Description, Diagnostic
from mqsc.lint.scripts import Defined, Scripts
from mqsc.lint.statement import Hit, Statement

OfStatement: TypeAlias = Callable[[Statement, Scripts], Iterator[Hit]]
OfObject: TypeAlias = Callable[[Defined, Scripts], Iterator[Hit]]
OfScripts: TypeAlias = Callable[[Scripts], Iterator[Hit]]


@dataclass(frozen=True, slots=True)
class Rule(Description):
    """A numbered piece of advice; at most one of its functions is there.

    It has none where the advice falls out of reading the lines.
    """

    good: str = ""
    of_statement: OfStatement | None = None
    of_object: OfObject | None = None
    of_scripts: OfScripts | None = None

    def finding(self, hit: Hit) -> Diagnostic:
        """What a hit of this rule is reported as."""
        return Diagnostic(self.rule_id, self.severity, *hit.place, hit.message, hit.right)
