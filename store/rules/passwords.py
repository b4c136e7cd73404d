"""Passwords of users, kept only as scrypt hashes."""

import hashlib
import hmac
from math import prod

SALT_LENGTH = 16
_LENGTH = 32
# scrypt needs 128 bytes times the first two numbers of the cost: 128 MB for that of today.
_MEMORY = 192 << 20
# N, r and p of scrypt; they are kept with each user, so that they can change.
Cost = tuple[int, int, int]


def hashed(password: str, salt: bytes, cost: Cost) -> bytes:
    """The hash of a password."""
    n, r, p = cost
    return hashlib.scrypt(
        password.encode(),
        salt=salt,
        n=n,
        r=r,
        p=p,
        maxmem=_MEMORY,
        dklen=_LENGTH,
    )


def is_hash_of(password: str, salt: bytes, kept: bytes, cost: Cost) -> bool:
    """Whether the password has this hash; takes the same time for a wrong one."""
    return hmac.compare_digest(hashed(password, salt, cost), kept)


def is_outdated(cost: Cost, wanted: Cost) -> bool:
    """Whether trying passwords on a hash of this cost is less work than on one of the cost that
    is wanted.
    """
    return prod(cost) < prod(wanted)
