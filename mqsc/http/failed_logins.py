"""How often a user may fail to log in from an address (rest §6)."""

from collections import deque
from collections.abc import Callable

from mqsc.http.errors import RestError

_ALLOWED = 5
_PERIOD_SECONDS = 60.0
_PAUSE_SECONDS = 10.0
_MOST_KEPT = 10_000


class FailedLogins:
    """Counts failures by user and address. After five in a minute, one try is allowed every ten
    seconds, even with the right password.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._failures: dict[tuple[str, str], deque[float]] = {}

    def check(self, user: str, address: str) -> None:
        """RestError 429 if the user has to wait."""
        failures = self._failures.get((user, address))
        if failures is None or len(failures) < _ALLOWED:
            return
        now = self._now()
        if now - failures[0] >= _PERIOD_SECONDS:
            return
        left = failures[-1] + _PAUSE_SECONDS - now
        if left > 0:
            seconds = str(int(left) + 1)
            detail = "too many logins have failed"
            raise RestError(429, "MQSC0602E", detail, headers=(("Retry-After", seconds),))

    def add(self, user: str, address: str) -> None:
        """Count a failure."""
        if len(self._failures) >= _MOST_KEPT:
            self._forget_old()
        failures = self._failures.setdefault((user, address), deque(maxlen=_ALLOWED))
        failures.append(self._now())

    def forget(self, user: str, address: str) -> None:
        """Forget the failures of a user who has logged in."""
        self._failures.pop((user, address), None)

    def _forget_old(self) -> None:
        oldest = self._now() - _PERIOD_SECONDS
        kept = {key: each for key, each in self._failures.items() if each[-1] > oldest}
        self._failures = kept if len(kept) < _MOST_KEPT else {}
