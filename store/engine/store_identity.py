"""The identity of a store: a UUID by which archives recognise it, and copies of it."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from mqsc.store.environment import Environment


def new_identity(environment: Environment[Any], path: str | None) -> str:
    """A UUID of version 8, from the salt of the process, the machine's time and the path: a frozen
    clock and a salt that is not random give different stores different ones.
    """
    seed = f"{environment.salt} {environment.clock.now()} {path}"
    raw = bytearray(blake2b(seed.encode("utf-8", "surrogateescape"), digest_size=16).digest())
    raw[6] = raw[6] & 0x0F | 0x80
    raw[8] = raw[8] & 0x3F | 0x80
    digits = raw.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
