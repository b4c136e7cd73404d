"""Who sends a request: by password, by token, or anybody where no credentials are asked for
(rest §2, §6).

A request is accepted in two steps. The first is taken on the event loop, from memory, except that
an unknown password is checked in a thread. The second, in the thread that calls the store, reads
the account again, so that a user who was removed or has another password now is refused.
"""

from __future__ import annotations

import asyncio
import binascii
import hmac
from base64 import b64decode
from collections.abc import Mapping
from typing import NamedTuple

from mqsc.http import contract
from mqsc.http.errors import RestError
from mqsc.http.failed_logins import FailedLogins
from mqsc.http.tokens import Stamp, Tokens, token_in
from mqsc.http.workers import Workers
from mqsc.store.client.store import Store
from mqsc.store.engine.passwords import has_password
from mqsc.store.environment import Environment, elapsed_real_seconds
from mqsc.store.rules.authorization import ADMINISTRATOR_GROUP
from mqsc.store.sql import connections
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.database import Reading

ALL_ROLES = frozenset((contract.ADMINISTRATOR_ROLE, contract.USER_ROLE))
_READER = frozenset((contract.READER_ROLE, contract.USER_ROLE))
_PLAIN = frozenset((contract.USER_ROLE,))
_CHALLENGE = (("WWW-Authenticate", 'Basic realm="mqsc"'),)
# How long a password that was right is remembered, and of how many users.
_REMEMBERED_SECONDS = 60.0
_MOST_REMEMBERED = 1000
_KEY_LENGTH = 32
FORM = "form"
BASIC = "basic"
NO_SECURITY = "noSecurity"


class Claim(NamedTuple):
    """Credentials that were right when they were checked; `stamp` is that of the account then."""

    user: str
    mechanism: str
    stamp: Stamp | None = None
    token: str = ""


class Caller(NamedTuple):
    """The user of a request with its roles. `acting_user` is the user as whom messages are put and
    got, blank for the one who runs the server.
    """

    user: str
    roles: frozenset[str]
    mechanism: str
    acting_user: str

    @property
    def is_administrator(self) -> bool:
        return contract.ADMINISTRATOR_ROLE in self.roles

    @property
    def only_reads(self) -> bool:
        return contract.READER_ROLE in self.roles


class Callers:
    """Checks the credentials of requests. With `open_to_all` they are neither needed nor read, and
    every caller is an administrator.
    """

    def __init__(self, store: Store, workers: Workers, *, open_to_all: bool) -> None:
        self._store = store
        self._workers = workers
        self._open_to_all = open_to_all
        self._key = Environment.unpredictable_bytes(_KEY_LENGTH)
        # By HMAC of user and password: until when, and the stamp of the account.
        self._remembered: dict[bytes, tuple[float, Stamp]] = {}
        self._checking: dict[bytes, asyncio.Future[Stamp | None]] = {}
        self._failures = FailedLogins(elapsed_real_seconds)
        self.tokens = Tokens(store.environment.clock.now)

    async def claim(self, headers: Mapping[str, str], address: str) -> Claim:
        """The credentials of a request. RestError 401 if it has none, or wrong ones, and 429 after
        too many wrong ones.
        """
        if self._open_to_all:
            return self._anybody()
        authorization = headers.get("authorization")
        if authorization is not None:
            user, password = _basic(authorization)
            return await self.password_claim(user, password, address, BASIC)
        token = token_in(headers.get("cookie", ""))
        if token is not None:
            login = self.tokens.login(token)
            if login is None:
                raise RestError(401, contract.TOKEN_INVALID)
            return Claim(login.user, FORM, login.stamp, token)
        raise _unauthenticated("there are no credentials")

    def _anybody(self) -> Claim:
        return Claim(self._store.environment.user, NO_SECURITY)

    async def password_claim(
        self,
        user: str,
        password: str,
        address: str,
        mechanism: str = FORM,
    ) -> Claim:
        """The claim of a user who gives a password; RestError 401 or 429."""
        if self._open_to_all:
            return self._anybody()
        self._failures.check(user, address)
        key = hmac.digest(self._key, f"{user}\0{password}".encode(), "sha256")
        until, stamp = self._remembered.get(key, (0.0, None))
        if stamp is None or elapsed_real_seconds() >= until:
            checked = await self._checked_once(key, user, password)
            if checked is None:
                self._failures.add(user, address)
                raise _wrong_password(mechanism)
            stamp = checked
            self._remember(key, stamp)
        self._failures.forget(user, address)
        return Claim(user, mechanism, stamp)

    async def _checked_once(self, key: bytes, user: str, password: str) -> Stamp | None:
        """The stamp of the account if the password is right. Requests that come with the same one
        while it is checked wait for that check: fifty connections of a program begin together.
        """
        checking = self._checking.get(key)
        if checking is None:
            check = self._workers.check_password(lambda: self._checked(user, password))
            checking = self._checking[key] = asyncio.ensure_future(check)
            checking.add_done_callback(lambda _: self._checking.pop(key, None))
        # A client that goes does not end the check for the others.
        return await asyncio.shield(checking)

    def _checked(self, user: str, password: str) -> Stamp | None:
        account = self._store.read(connections.user, user)
        is_right = has_password(self._store, account, password)
        return _stamp(account) if account is not None and is_right else None

    def _remember(self, key: bytes, stamp: Stamp) -> None:
        while len(self._remembered) >= _MOST_REMEMBERED:
            del self._remembered[next(iter(self._remembered))]
        self._remembered[key] = elapsed_real_seconds() + _REMEMBERED_SECONDS, stamp

    def caller(self, claim: Claim) -> Caller:
        """The user of a claim with the roles that the store gives now; RestError 401 if the
        account is gone or has another password. Called in a thread.
        """
        if claim.stamp is None:
            return Caller(claim.user, ALL_ROLES, claim.mechanism, "")
        with Reading(self._store.database) as reading:
            account = connections.user(reading, claim.user)
            is_administrator = account is not None and bool(account.administrator)
            groups = [] if is_administrator else connections.groups_of(reading, claim.user)
        if account is None or _stamp(account) != claim.stamp:
            if claim.token:
                self.tokens.end(claim.token)
                raise RestError(401, contract.TOKEN_INVALID)
            raise _wrong_password(claim.mechanism)
        if is_administrator or ADMINISTRATOR_GROUP in groups:
            return Caller(claim.user, ALL_ROLES, claim.mechanism, claim.user)
        if contract.READER_ROLE in groups:
            # Readers read with the authority of the server, as in IBM's.
            return Caller(claim.user, _READER, claim.mechanism, "")
        return Caller(claim.user, _PLAIN, claim.mechanism, claim.user)


def _stamp(account: UserAccountRow) -> Stamp:
    return Stamp(account.created_at, account.changed_at)


def _unauthenticated(detail: str) -> RestError:
    return RestError(401, contract.NOT_AUTHENTICATED, detail, headers=_CHALLENGE)


def _basic_failed(detail: str) -> RestError:
    return RestError(401, contract.BASIC_FAILED, detail, headers=_CHALLENGE)


def _wrong_password(mechanism: str) -> RestError:
    """401 for a user or a password that is wrong, in the header or in the body of a login."""
    refuse = _basic_failed if mechanism == BASIC else _unauthenticated
    return refuse("the user or the password is wrong")


def _basic(header: str) -> tuple[str, str]:
    """User and password of a header Authorization; RestError 401 if it has none."""
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        raise _unauthenticated("only Basic authorization is accepted")
    try:
        text = b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, ValueError):
        raise _basic_failed("the header Authorization is not Base64 of UTF-8") from None
    user, colon, password = text.partition(":")
    if not colon:
        raise _basic_failed("the header Authorization has no colon after the user")
    return user, password
