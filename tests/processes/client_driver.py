"""A program that uses the MQI in bytes, run by tests as a process of its own.

Usage: client_driver URL WHAT. It says `ready` when it has done what it is to be killed in the middle of.
"""

from __future__ import annotations

import sys

from mqsc.clients.mqi import Mqi
from mqsc.clients.process import ClientProcess
from tests.mqsc.clients.caller import Caller

SYNCPOINT, WAIT = 2, 1


def in_a_unit(caller: Caller) -> None:
    """Get one message and put another, and neither commit nor disconnect."""
    queue = caller.open("Q")
    caller.get(queue, options=SYNCPOINT)
    caller.put(queue, b"uncommitted", options=SYNCPOINT)
    print("ready", flush=True)


def waits_to_be_killed(caller: Caller) -> None:
    in_a_unit(caller)
    sys.stdin.read()


def waits_for_a_message(caller: Caller) -> None:
    queue = caller.open("Q")
    print("ready", flush=True)
    print(caller.get(queue, options=WAIT, wait_interval=60_000).decode(), flush=True)
    caller.mqi.MQDISC(caller.number)


WHAT = {each.__name__: each for each in (in_a_unit, waits_to_be_killed, waits_for_a_message)}

if __name__ == "__main__":
    WHAT[sys.argv[2]](Caller(Mqi(ClientProcess(sys.argv[1]))))
