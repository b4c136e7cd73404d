"""Administration in PCF: the command server, PCF messages in readable form, and for programs, the bytes of PCF."""

from store.client.command_server import register
from store.headers.pcf import CommandHeader, Filter, Integer64, Parameter, PcfError, pack, unpack

__all__ = ["CommandHeader", "Filter", "Integer64", "Parameter", "PcfError", "pack", "register", "unpack"]
