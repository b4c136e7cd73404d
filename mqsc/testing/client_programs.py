"""IBM's Python clients on the store of a test: the modules that stand in for their extensions."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from mqsc.clients.environment import MODULES, STARTUP, installed_library, program_environment
from mqsc.clients.mqi import of_this_process
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store_url import url_of_file

FOLDER = str(MODULES)


def client_variables(queue_manager: QueueManager) -> Mapping[str, str]:
    """The environment variables with which programs use the queue manager, their default one,
    through IBM's clients.

    RuntimeError if IBM's libraries are installed: the clients would use those, and with them other
    queue managers.
    """
    library = installed_library(os.environ)
    if library is not None and str(STARTUP) not in sys.path:
        raise RuntimeError(
            f"IBM MQ's library {library} is installed, which ibmmq and pymqi would use instead of "
            "the store; "
            "run the tests with `mqsc client --replace -- python -m pytest`",
        )
    url = url_of_file(queue_manager.store.path or "")
    return program_environment(url, queue_manager.name, os.environ, replace=True)


def end_connections() -> None:
    """Abend the connections that the clients have left open in this process, and close their
    stores.
    """
    process = of_this_process().process
    for linked in process.connections():
        linked.connection.abend()
        process.remove(linked)
    process.close()
