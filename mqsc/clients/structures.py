"""The structures of the MQI, as 64-bit programs pass them; structures.csv has a row for each field in use."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.clients.structure import Structure
from store.constants import MQRC
from store.headers.layout import read_fields

_FIELDS = read_fields(__file__)


def _structure(name: str, lengths: Mapping[int, int], *, struc_id: str = "", error: str = "") -> Structure:
    reason = MQRC[error or f"{name[2:]}_ERROR"]
    return Structure(struc_id or name[2:], reason, lengths, *_FIELDS[name])


MQOD = _structure("MQOD", {1: 168, 2: 208, 3: 344, 4: 424})
MQPMO = _structure("MQPMO", {1: 128, 2: 160, 3: 184})
MQGMO = _structure("MQGMO", {1: 72, 2: 80, 3: 100, 4: 112})
# Version 4 may come with or without the padding that a compiler adds.
MQCNO = _structure("MQCNO", {1: 12, 2: 24, 3: 152, 4: 164, 5: 200, 6: 224, 7: 256, 8: 272})
MQCSP = _structure("MQCSP", {1: 56, 2: 80, 3: 104})
MQBO = _structure("MQBO", {1: 12})
MQSTS = _structure("MQSTS", {1: 224, 2: 280}, struc_id="STAT")
MQCBD = _structure("MQCBD", {1: 164})
# Made by the queue manager only.
MQCBC = _structure("MQCBC", {1: 56, 2: 64}, error="CBD_ERROR")
MQCTLO = _structure("MQCTLO", {1: 24})
MQCMHO = _structure("MQCMHO", {1: 12})
MQDMHO = _structure("MQDMHO", {1: 12})
MQDMPO = _structure("MQDMPO", {1: 12})
MQSMPO = _structure("MQSMPO", {1: 20})
MQIMPO = _structure("MQIMPO", {1: 64})
MQPD = _structure("MQPD", {1: 24})
