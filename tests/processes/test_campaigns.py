"""Campaigns of kills and of interruptions at random moments. The seed is printed; MQSC_SEED
repeats a campaign.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.processes import (
    channel_kill_driver,
    consumer_driver,
    file_act_driver,
    interruption_driver,
    kill_driver,
    owner_driver,
    publish_kill_driver,
)

Run = Callable[[Path, int, int], str]
# What holds; the campaign, its usual length, and the variable that sets another one.
CAMPAIGNS: dict[str, tuple[Run, int, str]] = {
    # In units of few and of 500 messages, with messages that skip backout, trigger messages and
    # expiry scans, and while programs connect.
    "no acknowledged persistent message is lost or delivered twice": (
        kill_driver.run,
        150,
        "MQSC_KILLS",
    ),
    "channels deliver exactly once": (channel_kill_driver.run, 72, "MQSC_KILLS"),
    "consumers lose nothing": (consumer_driver.run, 150, "MQSC_CONSUMER_KILLS"),
    # Publishers in units of work, and programs that take them from durable subscriptions (B56, B92).
    "each committed publication reaches each subscription exactly once": (
        publish_kill_driver.run,
        60,
        "MQSC_KILLS",
    ),
    # Killed is `serve`, that of the owner most often; members end, start, and change EXPRYINT.
    "the owner at that moment makes every scan (S43)": (owner_driver.run, 100, "MQSC_KILLS"),
    "interruptions leave nothing behind": (interruption_driver.run, 800, "MQSC_INTERRUPTIONS"),
}
FEW_ACTS = (
    "rm wal",
    "mv all",
    "cp backup db",
    "replace db by earlier",
    "truncate wal half",
    "mv there and back",
)
ALL_ACTS = os.environ.get("MQSC_FILE_ACTS") == "all"


@pytest.mark.long
@pytest.mark.parametrize(("run", "number", "variable"), CAMPAIGNS.values(), ids=CAMPAIGNS)
def test_what_holds_whatever_is_killed_and_whenever(
    run: Run,
    number: int,
    variable: str,
    tmp_path: Path,
) -> None:
    seed = int(os.environ.get("MQSC_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"MQSC_SEED={seed}")
    print(run(tmp_path, int(os.environ.get(variable, number)), seed))


@pytest.mark.timeout(3600 if ALL_ACTS else 300)
def test_what_is_acknowledged_after_an_act_on_the_files_is_true(tmp_path: Path) -> None:
    """Six acts in two variants each; MQSC_FILE_ACTS=all plays all acts in all, which takes some
    minutes.
    """
    chosen = () if ALL_ACTS else (FEW_ACTS, file_act_driver.FEW_VARIANTS)
    print(file_act_driver.run(tmp_path, *chosen))
