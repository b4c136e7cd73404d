"""What became of the asynchronous puts of a connection."""

from __future__ import annotations

from msgspec import Struct, field


class PutStatus(Struct, frozen=True):
    """What MQSTAT returns: the first failure, or else the first warning, and counts of asynchronous puts."""

    completion: int = 0
    reason: int = 0
    put_success_count: int = 0
    put_warning_count: int = 0
    put_failure_count: int = 0
    object_type: int = 0
    object_name: str = ""
    object_q_mgr_name: str = ""
    resolved_object_name: str = ""
    resolved_q_mgr_name: str = ""


class Recorded(Struct):
    """The asynchronous puts of a connection since MQSTAT was last called."""

    succeeded: int = 0
    warned: int = 0
    failed: int = 0
    first: PutStatus = field(default_factory=PutStatus)

    def note(self, problem: PutStatus) -> None:
        """Keep the first problem of the more serious kind."""
        if problem.completion > self.first.completion:
            self.first = problem
