"""What Ctrl-C does: it ends the program without a word, except while a command runs, which it
interrupts.
"""

from __future__ import annotations

# The half of `signal` that is written in C: the other half loads enum, which takes longer than
# everything else here.
import _signal
import os
import sys

# Not from typing, whose import takes longer than that of this module.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

INTERRUPTED = 130


def exit_at_interrupt() -> None:
    """Let Ctrl-C end the program at once and without a word: it has done nothing yet, or has
    finished.

    A program that was started with SIGINT ignored, such as one in the background of a script, goes
    on ignoring it.
    """
    _replace_handler(_signal.default_int_handler, _exit)


def raise_at_interrupt() -> None:
    """Let Ctrl-C raise KeyboardInterrupt, so that a command cleans up and says how far it came."""
    _replace_handler(_exit, _signal.default_int_handler)


def _replace_handler(former: Callable[..., object], handler: Callable[..., object]) -> None:
    # As soon as a store is open, it wraps the functions of `signal`.
    functions = sys.modules.get("signal", _signal)
    if functions.getsignal(_signal.SIGINT) is former:
        functions.signal(_signal.SIGINT, handler)


def _exit(*_: object) -> NoReturn:
    os._exit(INTERRUPTED)
