"""Checks of one script, given as its lines."""

from collections.abc import Iterable

from mqsc.diagnostic import Diagnostic
from mqsc.lint.script_check import ScriptCheck


def check_script(lines: Iterable[bytes | str], file: str = "") -> list[Diagnostic]:
    """Return the diagnostics on one script."""
    with ScriptCheck() as check:
        check.read(lines, file)
        return check.diagnostics()
