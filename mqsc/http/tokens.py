"""The tokens of users that have logged in, kept in memory: a restart ends all of them (rest §2)."""

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from mqsc.http.contract import TOKEN_COOKIE
from mqsc.store.environment import MICROSECONDS, Environment

LIFE = 2 * 60 * 60 * MICROSECONDS
_LENGTH = 32
_MOST = 1000


class Stamp(NamedTuple):
    """When the account of a user was made and changed: it tells accounts of the same name apart."""

    created_at: int
    changed_at: int


# The stamp of a login where no credentials are asked for: no account has it.
NO_ACCOUNT = Stamp(0, 0)


class Login(NamedTuple):
    """A login: the user with the stamp of the account, and when it ends (microseconds UTC)."""

    user: str
    stamp: Stamp
    ends_at: int


class Tokens:
    """The tokens; only their hashes are kept."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._logins: dict[bytes, Login] = {}
        self._lock = Lock()

    def new(self, user: str, stamp: Stamp) -> str:
        """A token for a user who has given the password. It is always a new one, whatever the
        client sent; beyond 1000, the oldest ends.
        """
        token = urlsafe_b64encode(Environment.unpredictable_bytes(_LENGTH)).decode().rstrip("=")
        now = self._now()
        with self._lock:
            self._forget_ended(now)
            self._logins[_hash(token)] = Login(user, stamp, now + LIFE)
        return token

    def login(self, token: str) -> Login | None:
        """The login that a token is of; None for one that is unknown or has ended."""
        found = self._logins.get(_hash(token))
        return found if found is not None and self._now() < found.ends_at else None

    def end(self, token: str) -> None:
        """End a token."""
        with self._lock:
            self._logins.pop(_hash(token), None)

    def _forget_ended(self, now: int) -> None:
        for key, login in [*self._logins.items()]:
            if login.ends_at <= now:
                del self._logins[key]
        while len(self._logins) >= _MOST:
            del self._logins[next(iter(self._logins))]


def token_in(cookies: str) -> str | None:
    """The token in a header Cookie; None if there is none."""
    for cookie in cookies.split(";"):
        name, equals, value = cookie.strip().partition("=")
        if name == TOKEN_COOKIE and equals:
            return value.strip('"')
    return None


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
