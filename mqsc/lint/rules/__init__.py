"""The lint rules for MQSC scripts by number, a file for each subject. To add a rule, write its function.

Ids of rules that no longer exist are not used again: MQSC-C16 and MQSC-C37 are now errors.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from mqsc.diagnostic import Description
from mqsc.lint.script_command import FOUND_ELSEWHERE
from mqsc.lint.scripts import FOUND

for _subject in iter_modules(__path__):
    import_module(f"{__name__}.{_subject.name}")

RULES: tuple[Description, ...] = tuple(sorted((*FOUND, *FOUND_ELSEWHERE), key=lambda rule: rule.rule_id))
