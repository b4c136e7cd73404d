"""What counts as the occasion ALTER (C13, O-ALTER)."""

from __future__ import annotations

from mqsc.store.rules.trigger import facts
from mqsc.store.rules.trigger.facts import DEPTH, EVERY, FIRST, NONE, TriggerSettings
from tests.store.tables import named_verdicts

ON = TriggerSettings(True, FIRST, 0, 1)
OFF = ON._replace(trigger_on=False)

test_changes_of_attributes = named_verdicts(
    facts.is_altered,
    ("T31 turned on", OFF, ON, True),
    ("T45 already on", ON, ON, False),
    ("turned off", ON, OFF, False),
    ("stays off, type changes", OFF, OFF._replace(trigger_type=EVERY), False),
    ("type changes", ON, ON._replace(trigger_type=EVERY), True),
    ("type becomes NONE", ON, ON._replace(trigger_type=NONE), True),
    ("T43 priority changes", ON, ON._replace(trigger_priority=1), True),
    ("T44 depth is not relevant", ON, ON._replace(trigger_depth=2), False),
    (
        "depth is relevant",
        ON._replace(trigger_type=DEPTH),
        ON._replace(trigger_type=DEPTH, trigger_depth=2),
        True,
    ),
    ("depth and type change", ON, ON._replace(trigger_type=DEPTH, trigger_depth=2), True),
)
