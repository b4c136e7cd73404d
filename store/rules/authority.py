"""Users, passwords and authorities: who may connect, and the authorities of each type of object."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cache
from math import prod
from typing import NamedTuple

from mqsc.store.table import cells

# The authorities of MQ.
_WORDS = frozenset(
    "ALTUSR BROWSE CHG CLR CONNECT CTRL CTRLX DLT DSP GET INQ PASSALL PASSID PUB PUT RESUME SET "
    "SETALL SETID SUB SYSTEM".split()
)


@cache
def _authorities() -> Mapping[str, tuple[str, ...]]:
    """For each object type: what ALLADM includes, what ALLMQI includes, and what ALL includes in
    addition.
    """
    return {
        type: tuple(words)
        for type, *words in cells(
            __file__,
            "authorities.csv",
            ("type", "administering", "calling", "others"),
            lists=dict.fromkeys(("administering", "calling", "others"), _WORDS),
        )
    }


def authorities(type: str) -> frozenset[str]:
    """Every authority that exists for an object type.

    CRT for RQMNAME is not in IBM's table of authorities, but IBM's own scripts grant it.
    """
    return frozenset(" ".join((*_authorities()[type], "CRT")).split())


def expanded(type: str, words: Iterable[str]) -> frozenset[str] | None:
    """The authorities with ALL, ALLADM and ALLMQI expanded; None when one does not exist for the
    type.

    NONE expands to no authority: its record grants nothing.
    """
    administering, calling, _ = every = _authorities()[type]
    groups = {"NONE": "", "ALLADM": administering, "ALLMQI": calling, "ALL": " ".join(every)}
    found = frozenset(each for word in words for each in groups.get(word, word).split())
    return found if found <= authorities(type) else None


def changed(had: Iterable[str], given: frozenset[str], taken: frozenset[str]) -> list[str]:
    """The authorities after a change, sorted. If the lists overlap, the longer one is ALL and
    applies first.
    """
    return sorted(
        (set(had) | given) - taken if len(given) > len(taken) else (set(had) - taken) | given,
    )


# Whether a program that connects must give a password, by CONNAUTH and its AUTHINFO object.

NONE, OPTIONAL, REQUIRED, REQDADM = "NONE", "OPTIONAL", "REQUIRED", "REQDADM"


class Asked(NamedTuple):
    """What a queue manager asks for: CHCKLOCL or CHCKCLNT, and ADOPTCTX. `usable`: CONNAUTH
    names a usable object.
    """

    check: str
    adopts: bool = True
    usable: bool = True


class IdentityClaim(NamedTuple):
    """The identity that a program claims, and the store's record of that user.

    `administrator`: REQDADM is about the user that it names, or that runs it. `any_users`: the
    store has users.
    """

    with_password: bool
    administrator: bool
    any_users: bool


class Verdict(Enum):
    """The decision about a program that connects."""

    ADMIT = "admit it unchecked"
    VERIFY = "check its password"
    REFUSE = "refuse it"


def verdict(asked: Asked, claim: IdentityClaim) -> Verdict:
    """While the store has no users, a password that is not required is not checked."""
    if not asked.usable:
        return Verdict.REFUSE
    if asked.check == NONE:
        return Verdict.ADMIT
    if claim.with_password:
        return Verdict.VERIFY if claim.any_users or asked.check == REQUIRED else Verdict.ADMIT
    must = asked.check == REQUIRED or (asked.check == REQDADM and claim.administrator)
    return Verdict.REFUSE if must else Verdict.ADMIT


# Passwords of users, kept only as scrypt hashes.

SALT_LENGTH = 16
_LENGTH = 32
# scrypt needs 128 bytes times the first two numbers of the cost: 128 MB for that of today.
_MEMORY = 192 << 20
# N, r and p of scrypt; they are kept with each user, so that they can change.
Cost = tuple[int, int, int]
# Lengths in bytes that MQ's MQCSP and MQMD allow.
LONGEST_PASSWORD, LONGEST_NAME, LONGEST_GROUP = 256, 12, 64


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


def user_name_fault(name: str) -> str:
    """Why no user can have that name, or blank."""
    if not _is_writable(name):
        return "the name is not UTF-8"
    if not name or name != name.strip() or not name.isprintable():
        return "a user needs a name, without control characters and without blanks around it"
    if len(name.encode()) > LONGEST_NAME:
        return f"the name of a user has at most {LONGEST_NAME} bytes, as in a message descriptor"
    return ""


def group_name_fault(name: str) -> str:
    """Why no group can have that name, or blank."""
    if not _is_writable(name) or not name or name != name.strip() or not name.isprintable():
        return (
            "a group needs a name in UTF-8, without control characters and without blanks around it"
        )
    if len(name.encode()) > LONGEST_GROUP:
        return f"the name of a group has at most {LONGEST_GROUP} bytes"
    return "everybody is in the group nobody already" if name == "nobody" else ""


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
    """Whether the text has no unpaired surrogates, which stand for bytes that are not UTF-8."""
    return text == text.encode(errors="ignore").decode()
