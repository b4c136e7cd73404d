"""The named numbers and texts of the MQI and of PCF, one class per family: MQRC.Q_FULL, MQGMO.WAIT,
MQFMT.STRING.

`families()` has the names of all; `name_of("MQRC", 2053)` is MQRC_Q_FULL, and
`value_of("MQRC_Q_FULL")` 2053.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqsc.store import constants
from mqsc.store.constants import families as families, name_of as name_of, value_of as value_of

if TYPE_CHECKING:
    from mqsc.store.constants import *
else:

    def __getattr__(name: str) -> type:
        if name not in families():
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        family = globals()[name] = getattr(constants, name)
        return family


def __dir__() -> list[str]:
    return sorted({"families", "name_of", "value_of", *families()})
