"""Faults that `mqsc channel fault` has set: the link of a channel consults them at every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.channels.end import STOPS_AT_ONCE, ChannelEnd
from mqsc.channels.faults import ChannelEndedError, LinkBrokenError, StoppedError
from mqsc.channels.link import Step, StepHook
from mqsc.channels.texts import text
from store.admin import channel_faults
from store.environment import MICROSECONDS, elapsed_real_seconds
from store.rules.channel import fault as rules

if TYPE_CHECKING:
    from store.client.api import QueueManager
    from store.sql.rows import ChannelFaultRow

# A channel that runs notices a new fault at its next batch, or this much later within a batch.
LOOK_SECONDS = 0.02
MILLISECOND = MICROSECONDS // 1000


def is_down(qmgr: QueueManager, channel: str) -> bool:
    """Whether a fault keeps the channel from reaching its partner."""
    return rules.unreachable(channel_faults.faults(qmgr, channel), qmgr.now()) is not None


def unreachable_text(address: str) -> str:
    """The message about a partner that a fault keeps down."""
    return text("AMQ9202E", partner=address, detail="`mqsc channel fault` keeps the partner down")


class InjectedFaults:
    """The faults of one attempt to run a channel."""

    def __init__(self, end: ChannelEnd, hook: StepHook) -> None:
        self._end = end
        self._hook = hook
        self.address = str(end.definition["CONNAME"])
        self._faults: list[ChannelFaultRow] = []
        self._looked_at = 0.0

    def check_reachable(self, address: str) -> None:
        """ChannelEndedError 9202 while the partner cannot be reached."""
        self._look()
        down = rules.unreachable(self._faults, self._end.qmgr.now())
        if down is not None:
            channel_faults.met(self._end.qmgr, down.id)
            raise ChannelEndedError(unreachable_text(address))

    def step(self, step: Step, number: int) -> None:
        """The hook of the link: wait, or raise LinkBrokenError, as the faults say."""
        if number == 1 or elapsed_real_seconds() - self._looked_at >= LOOK_SECONDS:
            self._look()
        if self._faults:
            self._meet(step, number)
        self._hook(step, number)

    def _look(self) -> None:
        self._looked_at = elapsed_real_seconds()
        self._faults = channel_faults.faults(self._end.qmgr, self._end.channel)

    def _meet(self, step: Step, number: int) -> None:
        end = self._end
        for each in rules.acting(self._faults, step.value, number, end.qmgr.now()):
            channel_faults.met(end.qmgr, each.id)
            if each.action == rules.SLOW:
                self._wait(each.milliseconds)
                continue
            raise LinkBrokenError(self.address, end.qmgr.name)
        self._look()

    def _wait(self, milliseconds: int) -> None:
        """Wait on the clock of the queue manager; StoppedError when a command asks the channel to stop at once."""
        qmgr = self._end.qmgr
        until = qmgr.now() + milliseconds * MILLISECOND
        while (left := until - qmgr.now()) > 0:
            if self._end.requested() in STOPS_AT_ONCE:
                raise StoppedError
            if self._end.stop_requested():
                return
            qmgr.store.environment.clock.pause(min(left / MICROSECONDS, LOOK_SECONDS))
