"""Which change of attributes is an occasion (C13, O-ALTER)."""

from __future__ import annotations

import pytest

from store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE, TriggerSettings, altered

ON = TriggerSettings(True, FIRST, 0, 1)
OFF = ON._replace(trigger_on=False)

ROWS = [
    ("T31 goes on", OFF, ON, True),
    ("T45 already on", ON, ON, False),
    ("goes off", ON, OFF, False),
    ("stays off, type changes", OFF, OFF._replace(trigger_type=EVERY), False),
    ("type changes", ON, ON._replace(trigger_type=EVERY), True),
    ("type becomes NONE", ON, ON._replace(trigger_type=NONE), True),
    ("T43 priority changes", ON, ON._replace(trigger_priority=1), True),
    ("T44 depth is not relevant", ON, ON._replace(trigger_depth=2), False),
    ("depth is relevant", ON._replace(trigger_type=DEPTH), ON._replace(trigger_type=DEPTH, trigger_depth=2), True),
    ("depth and type change", ON, ON._replace(trigger_type=DEPTH, trigger_depth=2), True),
]


@pytest.mark.parametrize(("id", "before", "after", "occasion"), ROWS)
def test_a_change_is_an_occasion(id: str, before: TriggerSettings, after: TriggerSettings, occasion: bool) -> None:
    assert altered(before, after) is occasion
