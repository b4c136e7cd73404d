"""A lint rule for MQSC scripts: an id, a reason, a bad and a good script, and the function that finds violations.

The function gets one command (with the state that the scripts have before it), one object (as all commands leave it),
or all the scripts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from mqsc.diagnostic import Description, Violation
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import DefinedObject, Scripts

OfCommand: TypeAlias = Callable[[ScriptCommand, Scripts], Iterator[Violation]]
OfObject: TypeAlias = Callable[[DefinedObject, Scripts], Iterator[Violation]]
OfScripts: TypeAlias = Callable[[Scripts], Iterator[Violation]]


class LintRule(Description, frozen=True):
    """Has at most one of the functions, and none where `reading` finds the violations."""

    good: str = ""
    of_command: OfCommand | None = None
    of_object: OfObject | None = None
    of_scripts: OfScripts | None = None
