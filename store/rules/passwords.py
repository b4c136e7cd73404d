"""Passwords of users, kept only as scrypt hashes."""

from __future__ import annotations

import hashlib
import hmac

SALT_LENGTH = 16
# 16 MB and some 50 ms for each password; the numbers are kept with each user, so that they can change.
SCRYPT = (1 << 14, 8, 1)
_LENGTH = 32
_MEMORY = 64 << 20
# Lengths in bytes that MQ's MQCSP and MQMD allow.
LONGEST_PASSWORD, LONGEST_NAME = 256, 12


def hashed(password: str, salt: bytes, cost: tuple[int, int, int] = SCRYPT) -> bytes:
    """The hash of a password, and its parameters."""
    n, r, p = cost
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, maxmem=_MEMORY, dklen=_LENGTH)


def is_right(password: str, salt: bytes, kept: bytes, cost: tuple[int, int, int]) -> bool:
    """Whether the password has this hash; takes the same time for a wrong one."""
    return hmac.compare_digest(hashed(password, salt, cost), kept)


def name_fault(name: str) -> str:
    """Why no user can have that name, or blank."""
    if not _is_writable(name):
        return "the name is not UTF-8"
    if not name or name != name.strip() or not name.isprintable():
        return "a user needs a name, without control characters and without blanks around it"
    if len(name.encode()) > LONGEST_NAME:
        return f"the name of a user has at most {LONGEST_NAME} bytes, as in a message descriptor"
    return ""


def password_fault(password: str) -> str:
    """Why it cannot be a password, or blank."""
    if not password:
        return "the password is empty"
    if not _is_writable(password):
        return "the password is not UTF-8"
    if "\0" in password:
        return "a password cannot contain a null character"
    if len(password.encode()) > LONGEST_PASSWORD:
        return f"a password has at most {LONGEST_PASSWORD} bytes, as in an MQCSP"
    return ""


def _is_writable(text: str) -> bool:
    """Whether it has no unpaired surrogate, as bytes that are not UTF-8 become."""
    return text == text.encode(errors="ignore").decode()
