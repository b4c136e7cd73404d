"""Triggering: puts, other events, and where trigger messages go, from pages (triggering §3 to §5)."""

from __future__ import annotations

import pytest

from store.client.api import QueueManager
from tests.scenarios.pages import page
from tests.scenarios.trigger_play import TriggerPlay

# Changes that leave one of the conditions C5 to C10 unmet (P13).
UNMET = {
    "C5": "ALTER QLOCAL(APPQ) GET(DISABLED)",
    "C5 on a transmission queue": "ALTER QLOCAL(APPQ) GET(DISABLED) USAGE(XMITQ) PROCESS(' ')",
    "C6 no such process": "ALTER QLOCAL(APPQ) PROCESS(NOPROC)",
    "C6 blank": "ALTER QLOCAL(APPQ) PROCESS(' ')",
    "C6 no such process, on a transmission queue": "ALTER QLOCAL(APPQ) PROCESS(NOPROC) USAGE(XMITQ)",
    "C7 blank": "ALTER QLOCAL(APPQ) INITQ(' ')",
    "C7 no such queue": "ALTER QLOCAL(APPQ) INITQ(NOQ)",
    "C7 an alias of it": """DEFINE QALIAS(ALIAS) TARGET(INIT1)
                            ALTER QLOCAL(APPQ) INITQ(ALIAS)""",
    "C7 get disabled": "ALTER QLOCAL(INIT1) GET(DISABLED)",
    "C7 put disabled": "ALTER QLOCAL(INIT1) PUT(DISABLED)",
    "C8": "M: close INIT1",
    "C8 open for browse only": """M: close INIT1
                                  M: open INIT1 browse""",
    "C9": "ALTER QLOCAL(APPQ) NOTRIGGER",
    "C10": "ALTER QLOCAL(APPQ) TRIGTYPE(NONE)",
}


@pytest.mark.parametrize("scenario", page("triggering_puts"))
def test_a_put(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("triggering_close"))
def test_the_last_close(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("triggering_changes"))
def test_a_change_of_attributes(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("triggering_monitors"))
def test_a_monitor_opens_the_initiation_queue(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


@pytest.mark.parametrize("scenario", page("triggering_messages"))
def test_where_a_trigger_message_goes(qmgr: QueueManager, scenario: str) -> None:
    TriggerPlay(qmgr).run(scenario)


@pytest.mark.parametrize("trigger_type", ["FIRST", "EVERY", "DEPTH"])
@pytest.mark.parametrize("condition", UNMET)
def test_p13_an_unmet_condition_prevents_a_trigger_message(
    qmgr: QueueManager, condition: str, trigger_type: str
) -> None:
    TriggerPlay(qmgr).run(f"""
        ALTER QLOCAL(APPQ) TRIGTYPE({trigger_type})
        {UNMET[condition]}
        put m1 on APPQ
        new INIT1 => nothing
        depth APPQ => 1
        TRIGGER_LOST => nothing
    """)
