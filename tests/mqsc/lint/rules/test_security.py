"""Lint rules on access, beyond their own examples."""

from __future__ import annotations

from tests.mqsc.lint.violations import Case, wrong


def test_administrators() -> None:
    cases: list[Case] = [
        (["DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('MQM')"], [("C26", 1)]),
        (["DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER(' ')"], []),
        (["SET CHLAUTH(A) TYPE(USERMAP) CLNTUSER('x') MCAUSER('root')"], [("C26", 1)]),
    ]
    assert wrong(cases) == []


def test_passwords() -> None:
    cases: list[Case] = [
        (["DEFINE AUTHINFO(A) AUTHTYPE(IDPWOS) CHCKCLNT(NONE)"], [("C25", 1)]),
        (["DEFINE AUTHINFO(A) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)"], []),
        (
            [
                "DEFINE AUTHINFO(A) AUTHTYPE(IDPWOS) CHCKCLNT(OPTIONAL)",
                "SET CHLAUTH(B) TYPE(BLOCKUSER) USERLIST('nobody')",
            ],
            [("C27", 2)],
        ),
        (
            [
                "ALTER QMGR CONNAUTH(' ')",
                "SET CHLAUTH(B) TYPE(BLOCKUSER) USERLIST('nobody')",
                "SET CHLAUTH(B) TYPE(USERMAP) CLNTUSER('x') USERSRC(CHANNEL) CHCKCLNT(REQUIRED)",
            ],
            [("C25", 1)],
        ),
    ]
    assert wrong(cases) == []
