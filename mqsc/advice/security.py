"""Advice on who may come in. No authority is enforced here; the script will meet a queue manager that does."""

from __future__ import annotations

from collections.abc import Iterator

from mqsc.advice.rule import Rule
from mqsc.advice.scripts import Scripts
from mqsc.advice.statement import Hit, Statement

# Users that administer the queue manager.
ADMINISTRATORS = frozenset({"mqm", "root", "administrator", "musr_mqadmin", "qmqm"})


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


def blocks_nobody(statement: Statement, scripts: Scripts) -> Iterator[Hit]:
    """BLOCKUSER for users that do not exist, which takes the place of the block on administrators."""
    users = statement.given.get("USERLIST")
    is_block = statement.noun == "CHLAUTH" and statement.given.get("TYPE") == "BLOCKUSER"
    if is_block and isinstance(users, list) and users and all(user.lower() == "nobody" for user in users):
        message = "nobody is blocked, so administrators may come in through these channels"
        yield Hit(statement.at("USERLIST"), message, "USERLIST('*MQADMIN')")


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
        "that does not exist in it, administrators may come in.",
        "SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('nobody')\n",
        "SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('*MQADMIN')\n",
        of_statement=blocks_nobody,
    ),
)
