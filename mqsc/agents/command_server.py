"""The command server of `mqsc serve`: performs the commands of programs that ended before they
could.
"""

from collections.abc import Callable
from functools import partial
from threading import Event

from mqsc.channels.store_watch import StoreWait, StoreWatch
from mqsc.store.admin import command_queue
from mqsc.store.client.command_server import answer_commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError, StoreError

# For safety: when the work of a killed program is backed out, the store changes, and the wait ends
# anyway.
LOOK_SECONDS = 10.0


def run_command_server(
    qmgr: QueueManager,
    report: Callable[[str], None],
    stop: Event,
    watch: StoreWatch,
) -> None:
    """Perform commands whenever a change of the store has put some, until `stop` is set."""
    concerns = partial(command_queue.has_commands, qmgr)
    while not stop.is_set():
        try:
            seen = qmgr.store.database.data_version()
            if command_queue.has_commands(qmgr):
                answer_commands(qmgr)
            watch.wait(StoreWait([(qmgr.store, seen)], stop, LOOK_SECONDS, concerns=concerns))
        except MQError:
            stop.wait(LOOK_SECONDS)
        except StoreError as error:
            report(f"{qmgr.name}: the command server ends: {error}")
            return
