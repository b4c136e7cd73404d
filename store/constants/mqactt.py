from typing import Final


class MQACTT:
    """Types of accounting token."""

    AZUREAD_SECURITY_ID: Final = b"\x0c"
    CICS_LUOW_ID: Final = b"\x01"
    DOS_DEFAULT: Final = b"\x05"
    MS_ACC_AUTH_SECURITY_ID: Final = b"\r"
    NT_SECURITY_ID: Final = b"\x0b"
    OS2_DEFAULT: Final = b"\x04"
    OS400_ACCOUNT_TOKEN: Final = b"\x08"
    UNIX_NUMERIC_ID: Final = b"\x06"
    UNKNOWN: Final = bytes(1)
    USER: Final = b"\x19"
    WINDOWS_DEFAULT: Final = b"\t"
