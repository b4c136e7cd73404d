"""Whether a program that connects must give a password, by CONNAUTH and its AUTHINFO object."""

from enum import Enum
from typing import NamedTuple

NONE = "NONE"
OPTIONAL = "OPTIONAL"
REQUIRED = "REQUIRED"
REQDADM = "REQDADM"


class PasswordRequirement(NamedTuple):
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


def verdict(requirement: PasswordRequirement, claim: IdentityClaim) -> Verdict:
    """While the store has no users, a password that is not required is not checked."""
    if not requirement.usable:
        return Verdict.REFUSE
    if requirement.check == NONE:
        return Verdict.ADMIT
    if claim.with_password:
        return Verdict.VERIFY if claim.any_users or requirement.check == REQUIRED else Verdict.ADMIT
    must = asks_for_password(requirement.check, is_administrator=claim.administrator)
    return Verdict.REFUSE if must else Verdict.ADMIT


def asks_for_password(check: str, *, is_administrator: bool) -> bool:
    """Whether CHCKLOCL or CHCKCLNT, of an AUTHINFO object or a channel authentication record,
    requires a password.
    """
    return check == REQUIRED or (check == REQDADM and is_administrator)
