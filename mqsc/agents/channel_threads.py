"""Channels that run in threads of this program, one thread for each."""

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread

from mqsc.channels.attempt import RunSettings
from mqsc.channels.channel_run import run_channel
from mqsc.channels.driver import drive
from mqsc.channels.store_watch import StoreWatch
from mqsc.console.text.reasons import error_text
from mqsc.store.admin.channel import status
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import elapsed_real_seconds
from mqsc.store.error import ChannelInUseError, MQError, StoreError

# How long the channels may take to complete their batches when the program ends, and then to give
# them up.
PATIENCE_SECONDS = 5.0


class ChannelThreads:
    """The channels of one queue manager that this program runs. `stop` ends all of them, after
    their batches.

    `report` is called from the threads, with every message of the channels.
    """

    def __init__(
        self,
        qmgr: QueueManager,
        report: Callable[[str], None],
        stop: Event,
        watch: StoreWatch,
    ) -> None:
        self._qmgr = qmgr
        self._report = report
        self._stop = stop
        self._watch = watch
        self._lock = Lock()
        self._threads: dict[str, Thread] = {}

    def start(self, name: str) -> None:
        """Run the channel, unless it runs already."""
        with self._lock:
            if name in self._threads or self._stop.is_set():
                return
            thread = Thread(target=self._run, args=(name,), name=f"channel {name}", daemon=True)
            self._threads[name] = thread
        thread.start()

    @property
    def running(self) -> list[str]:
        with self._lock:
            return sorted(self._threads)

    def join(self) -> None:
        """Wait for all channels to end; those that take long are asked to end at once."""
        if not self._ended_within(PATIENCE_SECONDS):
            for name in self.running:
                with suppress(MQError, StoreError):
                    status.change(self._qmgr, name, "", requested=("FORCE", status.INACTIVE))
            self._ended_within(PATIENCE_SECONDS)

    def _ended_within(self, seconds: float) -> bool:
        until = elapsed_real_seconds() + seconds
        with self._lock:
            threads = [*self._threads.values()]
        for thread in threads:
            thread.join(max(0.0, until - elapsed_real_seconds()))
        return not self.running

    def _run(self, name: str) -> None:
        qmgr = self._qmgr
        try:
            settings = RunSettings(report=self._report, stop=self._stop.is_set)
            drive(run_channel(qmgr, name, settings), qmgr.store, self._stop, self._watch)
        except ChannelInUseError:
            # Another program was faster.
            pass
        except (MQError, StoreError) as error:
            self._report(f"{qmgr.name}: channel {name} could not be started: {error_text(error)}")
            # No other program would try the start again.
            with suppress(MQError, StoreError):
                status.forget(qmgr, name, "")
        finally:
            with self._lock:
                del self._threads[name]
