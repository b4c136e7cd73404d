"""Lint rules on access."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import Scripts

ADMINISTRATORS = frozenset({"mqm", "root", "administrator", "musr_mqadmin", "qmqm"})
# User names in records that are meant to block nobody.
NOBODY = frozenset({"nobody"})


@lint_rule("MQSC-C24", "warning", "command", "Channel authentication switched off")
def channel_authentication_off(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """CHLAUTH(DISABLED) opens every channel to anyone who can reach it, including administrators.

    Bad:
        ALTER QMGR CHLAUTH(DISABLED)

    Good:
        ALTER QMGR CHLAUTH(ENABLED)
    """
    if command.noun == "QMGR" and command.attributes.get("CHLAUTH") == "DISABLED":
        message = (
            "channel authentication records no longer apply, not even the one that blocks "
            "administrators"
        )
        yield Violation(
            command.location_of("CHLAUTH"),
            message,
            "CHLAUTH(ENABLED), and SET CHLAUTH for each partner",
        )


@lint_rule("MQSC-C25", "warning", "command", "Passwords not checked")
def passwords_not_checked(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """Without connection authentication, a client can claim to be any user.

    Bad:
        ALTER QMGR CONNAUTH(' ')

    Good:
        ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)
    """
    if command.noun == "QMGR" and command.attributes.get("CONNAUTH") == "":
        message = "passwords are no longer checked"
        yield Violation(command.location_of("CONNAUTH"), message, "CONNAUTH(an AUTHINFO object)")
    if command.noun == "AUTHINFO" and command.attributes.get("CHCKCLNT") == "NONE":
        message = "clients never have to give a password"
        yield Violation(command.location_of("CHCKCLNT"), message, "at least CHCKCLNT(REQDADM)")


@lint_rule("MQSC-C26", "warning", "command", "Channel that acts as an administrator")
def acts_as_administrator(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """MCAUSER is the user whose authority is checked. If that is an administrator, every partner
    and every client of the channel can administer the queue manager.

    Bad:
        DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('mqm')

    Good:
        DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('orders')
    """
    user = str(command.attributes.get("MCAUSER", ""))
    if user.lower() in ADMINISTRATORS and command.noun in ("CHANNEL", "CHLAUTH"):
        message = f"everyone who connects this way acts as {user} and has full authority"
        yield Violation(
            command.location_of("MCAUSER"),
            message,
            "a user with only the authority that is needed",
        )


@lint_rule("MQSC-C27", "warning", "scripts", "Block that blocks nobody")
def blocks_nobody(scripts: Scripts) -> Iterator[Violation]:
    """A BLOCKUSER record for a profile replaces the more general one that blocks administrators. If
    it names only a user that does not exist, administrators may connect; and where no password is
    required, so may anyone who claims to be one.

    Bad:
        ALTER QMGR CONNAUTH(' ')
        SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('nobody')

    Good:
        SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('nobody')
    """
    # A BLOCKUSER for users that do not exist replaces the block on administrators, and no password
    # is required. Where a password is required, this is the usual way to let administrators in. A
    # new queue manager requires one.
    if not _passwords_are_optional(scripts):
        return
    checked = {
        record.name
        for record in scripts.records
        if record.attributes.get("CHCKCLNT") in ("REQUIRED", "REQDADM")
    }
    for record in scripts.records:
        users = record.attributes.get("USERLIST")
        blocked = [str(user).lower() for user in users] if isinstance(users, list) else []
        if blocked and set(blocked) <= NOBODY and record.name not in checked:
            message = (
                "this record blocks nobody: administrators may connect through these channels "
                "without a password"
            )
            suggestion = (
                "USERLIST('*MQADMIN'), or CHCKCLNT(REQUIRED) in the record that lets them in"
            )
            yield Violation(record.location_of("USERLIST"), message, suggestion)


def _passwords_are_optional(scripts: Scripts) -> bool:
    """Whether the scripts remove the requirement that administrators who connect as clients give
    a password.
    """
    if scripts.qmgr is not None and scripts.qmgr.get("CONNAUTH") == "":
        return True
    return any(each.get("CHCKCLNT") in ("NONE", "OPTIONAL") for each in scripts.of_kind("AUTHINFO"))
