"""A language server for editors: MQSC, dead-letter rules tables, and MQSC inside YAML and shell
scripts.
"""

from __future__ import annotations

import sys

from mqsc.console.options import Choices, command
from mqsc.console.target import NothingRunError


@command(common=())
def lsp(_: Choices) -> None:
    """Run a language server for MQSC and rules tables on standard input and output; editors
    start it.
    """
    try:
        from mqsc.lsp.server import made_server
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise NothingRunError(
            f"the language server needs {error.name}, which is not installed; in the source tree of "
            "mqsc, run: pip install '.[lsp]'",
        ) from error
    # Seconds after which the thread of a check lets an answer go on, which may wait for it several
    # times.
    sys.setswitchinterval(0.0005)
    made_server().start_io()
