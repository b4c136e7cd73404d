import enum


class MQMULC(enum.IntEnum):
    """How usage is measured for licence charges on z/OS (MULCCAPT)."""

    STANDARD = 0
    REFINED = 1
