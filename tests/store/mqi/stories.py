"""Random sequences of repeated puts and of changes to objects between them."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from mqsc.store.constants import MQIA, MQMF, MQMT, MQPMO, MQRO
from tests.store.mqi.putting import BODIES, Given


class Text(str):
    """A subclass of str."""


class Number(enum.IntEnum):
    """A subclass of int."""

    ONE = 1
    FIVE = 5


# Values of fields: valid and invalid ones, and values that equal others but have another type.
FIELDS: dict[str, Sequence[Any]] = {
    "report": (
        0,
        MQRO.COA,
        int(MQRO.COA | MQRO.PASS_MSG_ID),
        MQRO.EXPIRATION,
        0x20000000,
        0x00100000,
    ),
    "msg_type": (8, MQMT.REQUEST, 0, 8.0),
    "expiry": (-1, 1, 50, 600, True, 0, None),
    "feedback": (0, False, 1, Number.ONE, -1),
    "encoding": (546, 273, 0),
    "coded_char_set_id": (0, 1208, 437, 99999, "437"),
    "format": (
        "",
        "MQSTR",
        "MQSTR   ",
        Text("MQSTR"),
        "MQDEAD",
        "MQXMIT",
        None,
        b"MQSTR",
        "TOO LONG A NAME",
    ),
    "priority": (-1, 0, 5, Number.FIVE, 9, 10, True, 1.0, -2),
    "persistence": (0, 1, 2, True, 3, []),
    "msg_id": (
        bytes(24),
        b"a" * 24,
        b"b" * 24,
        bytearray(b"a" * 24),
        b"a",
        b"a" * 25,
        "a" * 24,
        None,
    ),
    "correl_id": (bytes(24), b"a" * 24, b"b" * 24, bytearray(b"a" * 24), b"a", None),
    "backout_count": (0, 3),
    "reply_to_q": ("", "REPLY", "REPLIES", "NOWHERE", Text("REPLY"), 5),
    "reply_to_q_mgr": ("", " ", "\0", "QM1", "QM2", None),
    "user_identifier": ("", "me", "half \ud83d", "too long a name"),
    "accounting_token": (bytes(32), b"t" * 32, b"t", bytearray(32), b"t" * 33),
    "put_appl_type": (0, 6, 28),
    "put_appl_name": ("", "program"),
    "put_date": (None, "", "20200101", 0, [], "TOO LONG A DATE"),
    "put_time": (None, "", "00000000", False),
    "appl_origin_data": ("", "abcd"),
    "group_id": (bytes(24), b"g" * 24, b"g", bytearray(24), b"g" * 25),
    "msg_seq_number": (1, 2, 0),
    "offset": (0, 16, -1),
    "msg_flags": (
        0,
        MQMF.MSG_IN_GROUP,
        int(MQMF.LAST_MSG_IN_GROUP),
        MQMF.SEGMENT,
        MQMF.LAST_SEGMENT,
        MQMF.SEGMENTATION_ALLOWED,
    ),
    "original_length": (-1, 100),
}
OPTIONS = (
    0,
    MQPMO.SYNCPOINT,
    int(MQPMO.SYNCPOINT),
    MQPMO.NEW_MSG_ID,
    MQPMO.NEW_CORREL_ID,
    MQPMO.NO_CONTEXT,
    MQPMO.SET_IDENTITY_CONTEXT,
    MQPMO.SET_ALL_CONTEXT,
    MQPMO.PASS_ALL_CONTEXT,
    MQPMO.SYNCPOINT | MQPMO.NEW_MSG_ID | MQPMO.SET_ALL_CONTEXT,
)
IN_ORDER = (MQPMO.LOGICAL_ORDER, MQPMO.LOGICAL_ORDER | MQPMO.SYNCPOINT)
# Changes between puts: kind and name of an object, attribute, values.
CHANGES: Sequence[tuple[str, str, str, Sequence[Any]]] = [
    ("QLOCAL", "Q", "DEFPRTY", (0, 7)),
    ("QLOCAL", "Q", "DEFPSIST", ("NO", "YES")),
    ("QLOCAL", "Q", "MAXMSGL", (0, 150, 200, 300)),
    ("QLOCAL", "Q", "MAXDEPTH", (3, 5000)),
    ("QLOCAL", "Q", "PUT", ("ENABLED", "DISABLED")),
    ("QLOCAL", "Q", "MSGDLVSQ", ("FIFO", "PRIORITY")),
    ("QLOCAL", "Q", "ACCTQ", ("OFF", "QMGR")),
    ("QLOCAL", "Q", "CAPEXPRY", (20, "NOLIMIT")),
    ("QLOCAL", "Q", "CUSTOM", ("CAPEXPRY(30)", "")),
    ("QLOCAL", "Q", "QDPMAXEV", ("ENABLED", "DISABLED")),
    ("QALIAS", "A", "DEFPRTY", (0, 3)),
    ("QALIAS", "A", "DEFPSIST", ("NO", "YES")),
    ("QALIAS", "A", "PUT", ("ENABLED", "DISABLED")),
    ("QALIAS", "A", "CAPEXPRY", (10, "NOLIMIT")),
    ("QALIAS", "A", "CUSTOM", ("CAPEXPRY(15)", "")),
    ("QLOCAL", "XQ", "DEFPRTY", (0, 4)),
    ("QLOCAL", "XQ", "CAPEXPRY", (40, "NOLIMIT")),
    ("QREMOTE", "FAR", "DEFPRTY", (0, 2)),
    ("QMGR", "QM1", "CCSID", (1208, 819)),
    ("QMGR", "QM1", "MAXMSGL", (32768, 4194304)),
    ("QMGR", "QM1", "MAXUMSGS", (2, 10000)),
    ("QMGR", "QM1", "PERFMEV", ("ENABLED", "DISABLED")),
    ("QREMOTE", "REPLY", "RNAME", ("ANSWERS", "OTHERS")),
    ("QLOCAL", "REPLY", "DESCR", ("a queue",)),
]
# Initial fields of descriptors, in combinations that matter.
BASES: Sequence[dict[str, Any]] = (
    {},
    {"reply_to_q": "REPLY"},
    {"reply_to_q": "REPLY", "reply_to_q_mgr": " "},
    {"reply_to_q": "REPLIES", "report": int(MQRO.COA | MQRO.EXPIRATION), "expiry": 50},
    {"msg_id": b"a" * 24, "expiry": 600},
    {"persistence": 1, "priority": 10},
)
Step = tuple[str, tuple[Any, ...]]


@st.composite
def stories(draw: st.DrawFn, options: Sequence[int]) -> list[Step]:
    """Draw puts of the same few messages, with changes of the same few attributes between them."""
    field = st.sampled_from(sorted(FIELDS)).flatmap(
        lambda name: st.tuples(st.just(name), st.sampled_from(FIELDS[name])),
    )
    more = st.lists(field, max_size=2).map(dict)
    fields = st.builds(lambda base, more: {**base, **more}, st.sampled_from(BASES), more)
    messages = draw(
        st.lists(st.builds(Given, fields, st.sampled_from(sorted(BODIES))), min_size=1, max_size=2),
    )
    changes = draw(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=3))
    asked = draw(st.lists(st.sampled_from(options), min_size=1, max_size=2))
    queues = draw(
        st.lists(st.sampled_from(["Q", "Q", "A", "XQ", "FAR", "TEMP"]), min_size=1, max_size=2),
    )
    some = st.lists(st.sampled_from(messages), min_size=1, max_size=4)
    put = st.tuples(
        st.just("put"),
        st.tuples(st.sampled_from(queues), st.sampled_from(asked), some),
    )
    altered = [
        ("alter", (kind, name, {word: value}))
        for kind, name, word, values in changes
        for value in values
    ]
    others = [
        *[("set", (name, {MQIA.INHIBIT_PUT: value})) for name in "QA" for value in (0, 1)],
        *[("end", (True,)), ("end", (False,)), ("advance", (0.3,)), ("advance", (5,))],
    ]
    return draw(
        st.lists(
            st.one_of(put, put, st.sampled_from(altered), st.sampled_from(others)),
            min_size=6,
            max_size=20,
        ),
    )
