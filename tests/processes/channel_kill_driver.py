"""Kills programs that run channels at random moments; every message must arrive exactly once."""

from __future__ import annotations

import random
import time
from pathlib import Path
from threading import Event
from typing import NoReturn

from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.channels.driver import drive
from mqsc.channels.link import Step
from mqsc.store.error import ChannelInUseError
from tests.processes.campaign import Broken, Victim, kill_each
from tests.processes.channel_oracle import Sent, faults
from tests.processes.channel_world import (
    LIFETIME_TENTHS,
    Folders,
    Hook,
    Kind,
    World,
    build,
    nothing,
    opened,
    set_speed,
)
from tests.processes.programs import Program
from tests.scenarios.channel_bench import mqsc

BATCH_SIZES = {"C1": 1, "C2": 7, "C3": 50}
KILLS_PER_STORE = 24
MOST_MESSAGES = 80
LONGEST_LIFE_SECONDS = 0.06
# A program that has nothing to move leaves the processors to others for so long.
REST_SECONDS = 0.005
# The share of channels that two programs compete for: the second takes over when the first is
# killed.
RIVALS = 0.4
SOON_TENTHS, SOME = 1, 0.03


def run(folder: Path, kills: int, seed: int) -> str:
    """Kill programs in one store after another, each with a check by the oracle; return a
    summary line.
    """
    chance = random.Random(seed)
    templates = {two: _template(folder, two=two) for two in (False, True)}
    killed = messages = stores = 0
    while killed < kills:
        stores += 1
        folders = Folders(folder, folder, chance.random() < 0.5)
        folders.copy_from(templates[folders.two])
        kinds = {channel: chance.choice(list(Kind)) for channel in BATCH_SIZES}
        wanted = min(KILLS_PER_STORE, kills - killed)
        messages += _campaign(folders, kinds, wanted, chance)
        killed += wanted
    return f"{killed} kills in {stores} stores, {messages} messages"


def _template(folder: Path, *, two: bool) -> Folders:
    own = folder / ("template.two" if two else "template.one")
    own.mkdir()
    made = Folders(own, own, two)
    build(made, Folders(folder, folder, two), BATCH_SIZES)
    with opened(made) as world:
        for channel in BATCH_SIZES:
            mqsc(world.qm2, f"ALTER CHANNEL({channel}) CHLTYPE(RCVR) MRTMR(2)")
    return made


def _campaign(folders: Folders, kinds: dict[str, Kind], kills: int, chance: random.Random) -> int:
    """Kill programs in one pair of stores, then drain the channels and check them; return the
    number of messages.
    """
    with opened(folders, None) as world:
        for channel, kind in kinds.items():
            set_speed(world, kind, channel)
    sent: dict[str, list[Sent]] = {channel: [] for channel in kinds}
    left = kills
    while left:
        channels = [*kinds, *(each for each in kinds if chance.random() < RIVALS)][:left]
        left -= len(channels)
        # A rival only works once the first is dead.
        longest = [
            LONGEST_LIFE_SECONDS * (1 if number < len(kinds) else 2)
            for number in range(len(channels))
        ]
        victims = [
            Victim(Program(_work, folders, each), life)
            for each, life in zip(channels, longest, strict=True)
        ]
        with opened(folders, None) as world:
            for channel, kind in kinds.items():
                first = len(sent[channel]) + 1
                numbers = range(first, first + chance.randrange(MOST_MESSAGES))
                sent[channel] += world.put(kind, numbers, channel, lambda: _lifetime(chance))
            kill_each(victims, chance)
    with opened(folders, None) as world:
        for channel in kinds:
            _drain(world, channel)
        for channel in kinds:
            found = faults(world.route(channel), sent[channel])
            if found:
                where = "two stores" if folders.two else "one store"
                raise Broken(f"{channel} ({kinds[channel].value}, {where}): {'; '.join(found)}")
    return sum(map(len, sent.values()))


def _lifetime(chance: random.Random) -> int:
    return SOON_TENTHS if chance.random() < SOME else LIFETIME_TENTHS


def _work(folders: Folders, channel: str) -> NoReturn:
    """Run the channel until killed, retrying while another process has it. A run must not fail.

    Says something when it, or a rival, has begun to move messages.
    """
    waiting = ["moving"]

    def tell(step: Step, number: int) -> None:
        if waiting:
            print(waiting.pop())

    with opened(folders, None) as world:
        while True:
            try:
                _drain(world, channel, tell)
            except ChannelInUseError:
                tell(Step.S1, 0)
            time.sleep(REST_SECONDS)


def _drain(world: World, channel: str, hook: Hook = nothing) -> None:
    run = run_channel(world.qm1, channel, RunSettings(until_empty=True, hook=hook))
    ending = drive(run, world.store, Event())
    if ending.failed:
        raise Broken(f"{channel} could not be run: {ending.message}")
