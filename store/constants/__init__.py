"""The named numbers and texts of the MQI and of PCF, one class per family: MQRC.Q_FULL, MQGMO.WAIT,
MQFMT.STRING.

- Families of options (MQGMO, MQPMO, MQOO, MQRO, MQMO, MQCO, MQMF, MQSO, MQSRO) are IntFlag and keep
  bits that have no name.
- Families of numbers are IntEnum.
- Families that hold texts or bytes (MQFMT, MQCI, the structure identifiers in MQMD, MQDLH ...),
  lengths (MQ) and encodings (MQENC) are classes with plain attributes. Texts have no padding beyond
  their value.

Where several names share a number, the first is the number's main name. A name that would start
with a digit starts with an underscore instead. A class is made when its family is first used.

To add a constant or a family, add rows to constants.csv and run `python -m store.constants`: it
writes `__init__.pyi`, which type checkers and editors read instead of this file.
"""

from mqsc.store.constants.table import (
    families as families,
    family_named,
    name_of as name_of,
    value_of as value_of,
)


def __getattr__(name: str) -> type:
    found = globals()[name] = family_named(name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *families()})
