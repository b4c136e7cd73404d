"""IBM's package `ibmmq` on a store, compared with its calls on a module that does nothing plus the
store's own calls, and with the store's own calls alone.

python -m tests.benchmarks.clients_benchmark [--calls 300] [--rounds 31]

Where OpenTelemetry is installed, the package also looks for a trace in each call; with
MQIPY_NOOTEL=1 in the environment it does not, as where OpenTelemetry is missing.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from typing import Any

import mqsc
from mqsc.clients.environment import MODULES
from mqsc.store import GetMessageOptions, Message, MessageDescriptor
from mqsc.store.constants import MQMO, MQOO
from tests.benchmarks.bare import BODY
from tests.benchmarks.measuring import compare, each, options, seconds

Call = Callable[[], None]
CALLS, ROUNDS, CONNECTS = 300, 31, 100
BOTH = int(MQOO.INPUT_SHARED | MQOO.OUTPUT)
BUFFER = 4096
WAYS = int(MQMO.MATCH_MSG_ID | MQMO.MATCH_CORREL_ID)


def compare_clients(calls: int = CALLS, rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median ratio for puts and for gets, and the milliseconds that connecting and
    disconnecting take.
    """
    sys.path.insert(0, str(MODULES))
    ibmmq, ibmmqc = import_module("ibmmq"), import_module("ibmmqc")
    traces = ibmmq.OTelFunctions.put_trace_before is not None
    print(f"the package {'looks' if traces else 'does not look'} for traces of OpenTelemetry")
    with tempfile.TemporaryDirectory() as folder:
        url = os.environ["MQSC_STORE"] = f"sqlite:///{folder}/test.db"
        store = mqsc.open_store(url)
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(Q) MAXDEPTH(999999999)", check=True)
        handle = qmgr.connect().open("Q", BOTH)
        connection = ibmmq.QueueManager("QM1")
        queue = ibmmq.Queue(connection, "Q", BOTH)

        def put() -> None:
            queue.put(BODY, ibmmq.MD())

        def get() -> None:
            queue.get(BUFFER, ibmmq.MD())

        def own_put() -> None:
            handle.put(Message(BODY, MessageDescriptor()))

        def own_get() -> None:
            handle.get(GetMessageOptions(match_options=WAYS, buffer_length=BUFFER))

        def put_nothing(_: Any, __: Any, md: bytes, pmo: bytes, body: bytes) -> Any:
            return md, pmo, 0, 0

        def get_nothing(_: Any, __: Any, md: bytes, gmo: bytes, length: int) -> Any:
            return BODY, md, gmo, len(BODY), 0, 0

        handle.put([Message(BODY)] * (4 * calls * rounds))
        rows = (("MQPUT", put, own_put, put_nothing), ("MQGET", get, own_get, get_nothing))
        ratios = {row[0]: _compare(ibmmqc, *row, calls=calls, rounds=rounds) for row in rows}

        def connect() -> None:
            ibmmq.QueueManager("QM1").disconnect()

        ratios["connect"] = (
            1000 * min(seconds(lambda: each(CONNECTS, connect)) for _ in range(5)) / CONNECTS
        )
        print(f"connecting and disconnecting takes {ratios['connect']:.2f} ms")
        queue.close()
        connection.disconnect()
        handle.connection.disconnect()
        store.close()
    return ratios


def _compare(
    module: Any,
    name: str,
    through: Call,
    own: Call,
    nothing: Callable[..., Any],
    *,
    calls: int,
    rounds: int,
) -> float:
    real = getattr(module, name)

    def ours(number: int) -> None:
        each(number, through)

    def parts(number: int) -> None:
        setattr(module, name, nothing)
        each(number, through)
        setattr(module, name, real)
        each(number, own)

    compare(
        f"ibmmq {name}", rounds, calls, ours, lambda number: each(number, own), beside="the store"
    )
    return compare(f"ibmmq {name}", rounds, calls, ours, parts, beside="the parts")


if __name__ == "__main__":
    chosen = options(__doc__, calls=CALLS, rounds=ROUNDS)
    compare_clients(chosen.calls, chosen.rounds)
