"""Administration in PCF: the command server, PCF messages in readable form, and for programs, the
bytes of PCF.

Translations between PCF and the requests and answers of MQSC belong here.
"""

from mqsc.store.client.command_server import register
from mqsc.store.headers.pcf import (
    CommandHeader,
    Filter,
    Integer64,
    Parameter,
    PcfError,
    pack,
    unpack,
)

__all__ = [
    "CommandHeader",
    "Filter",
    "Integer64",
    "Parameter",
    "PcfError",
    "pack",
    "register",
    "unpack",
]
