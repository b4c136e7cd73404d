"""The script for fish, which depends on a line of click's own."""

from __future__ import annotations

import click

from mqsc.console.object_names import FishScript


def test_fish_splits_a_completion_at_its_first_comma_only() -> None:
    script = FishScript(click.Command("mqsc"), {}, "mqsc", "_MQSC_COMPLETE").source()
    assert 'string split --max 1 ","' in script
    assert 'string split ","' not in script
