"""Advice on who may come in. No authority is enforced here; the script will meet a queue manager that does."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.lint.rule import Rule
from mqsc.lint.scripts import Scripts
from mqsc.lint.statement import Hit, Statement

# Users that administer the queue manager.
ADMINISTRATORS = frozenset({"mqm", "root", "administrator", "musr_mqadmin", "qmqm"})
# Users that a block names when it is to block nobody.
NOBODY = frozenset({"nobody"})


def rules_switched_off(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """ALTER QMGR CHLAUTH(DISABLED)."""
    if statement.noun == "QMGR" and statement.given.get("CHLAUTH") == "DISABLED":
        message = "no channel authentication record applies any more, not even the one that keeps administrators out"
        yield Hit(statement.at("CHLAUTH"), message, "CHLAUTH(ENABLED) and SET CHLAUTH for who may come in")


def passwords_not_checked(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """CONNAUTH blank, or an AUTHINFO that checks nobody."""
    if statement.noun == "QMGR" and statement.given.get("CONNAUTH") == "":
        yield Hit(statement.at("CONNAUTH"), "no password is checked any more", "CONNAUTH(an AUTHINFO object)")
    if statement.noun == "AUTHINFO" and statement.given.get("CHCKCLNT") == "NONE":
        yield Hit(statement.at("CHCKCLNT"), "clients are never asked for a password", "CHCKCLNT(REQDADM) at least")


def acts_as_administrator(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """A channel, or a rule for one, whose user may do everything."""
    user = str(statement.given.get("MCAUSER", ""))
    if user.lower() in ADMINISTRATORS and statement.noun in ("CHANNEL", "CHLAUTH"):
        message = f"whoever comes in acts as {user} and may do everything"
        yield Hit(statement.at("MCAUSER"), message, "a user that has no more authority than it needs")


def blocks_nobody(scripts: Scripts) -> Iterator[Hit]:
    """BLOCKUSER for users that do not exist, in place of the block on administrators, and no password asked for.

    With a password it is how administrators are let in on purpose; a new queue manager asks them for one.
    """
    if not _passwords_are_optional(scripts):
        return
    checked = {each.name for each in scripts.records if each.given.get("CHCKCLNT") in ("REQUIRED", "REQDADM")}
    for each in scripts.records:
        users = each.given.get("USERLIST")
        blocked = [str(user).lower() for user in users] if isinstance(users, list) else []
        if blocked and set(blocked) <= NOBODY and each.name not in checked:
            message = "nobody is blocked, so administrators may come in through these channels without a password"
            right = "USERLIST('*MQADMIN'), or CHCKCLNT(REQUIRED) in the record that lets them in"
            yield Hit(each.at("USERLIST"), message, right)


def _passwords_are_optional(scripts: Scripts) -> bool:
    """Whether the scripts switch off that a client who administers must give a password."""
    if scripts.qmgr is not None and scripts.qmgr.get("CONNAUTH") == "":
        return True
    return any(each.get("CHCKCLNT") in ("NONE", "OPTIONAL") for each in scripts.of("AUTHINFO"))


RULES = (
    Rule(
        "MQSC-C24",
        "warning",
        "Channel authentication switched off",
        "CHLAUTH(DISABLED) opens every channel to everybody whom the network lets through, administrators included.",
        "ALTER QMGR CHLAUTH(DISABLED)\n",
        "ALTER QMGR CHLAUTH(ENABLED)\n",
        of_statement=rules_switched_off,
    ),
    Rule(
        "MQSC-C25",
        "warning",
        "Passwords not checked",
        "Without connection authentication a client is who it says it is.",
        "ALTER QMGR CONNAUTH(' ')\n",
        "ALTER QMGR CONNAUTH(SYSTEM.DEFAULT.AUTHINFO.IDPWOS)\n",
        of_statement=passwords_not_checked,
    ),
    Rule(
        "MQSC-C26",
        "warning",
        "Channel that acts as an administrator",
        "MCAUSER is the user whose authority counts. With an administrator there, every partner and every client of "
        "the channel administers the queue manager.",
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('mqm')\n",
        "DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('orders')\n",
        of_statement=acts_as_administrator,
    ),
    Rule(
        "MQSC-C27",
        "warning",
        "Block that blocks nobody",
        "A BLOCKUSER record of a profile takes the place of the wider one that keeps administrators out. With a user "
        "that does not exist in it administrators may come in, and where no password is asked for, so may anybody who "
        "says to be one.",
        "ALTER QMGR CONNAUTH(' ')\nSET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('nobody')\n",
        "SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('nobody')\n",
        of_scripts=blocks_nobody,
    ),
)
