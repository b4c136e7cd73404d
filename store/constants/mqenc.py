from typing import Final


class MQENC:
    """Encodings; numbers, because an encoding is a sum of three."""

    RESERVED_MASK: Final = -4096
    AS_PUBLISHED: Final = -1
    DECIMAL_UNDEFINED: Final = 0
    FLOAT_UNDEFINED: Final = 0
    INTEGER_UNDEFINED: Final = 0
    INTEGER_NORMAL: Final = 1
    INTEGER_REVERSED: Final = 2
    INTEGER_MASK: Final = 15
    DECIMAL_NORMAL: Final = 16
    DECIMAL_REVERSED: Final = 32
    DECIMAL_MASK: Final = 240
    FLOAT_IEEE_NORMAL: Final = 256
    NORMAL: Final = 273
    FLOAT_IEEE_REVERSED: Final = 512
    NATIVE: Final = 546
    REVERSED: Final = 546
    FLOAT_S390: Final = 768
    S390: Final = 785
    FLOAT_TNS: Final = 1024
    TNS: Final = 1041
    FLOAT_MASK: Final = 3840
