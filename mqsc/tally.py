"""The three closing lines of runmqsc and the exit code that goes with them."""

from __future__ import annotations

from dataclasses import dataclass

from mqsc.reply import Answer


@dataclass(slots=True)
class Tally:
    """How many commands were read, how many of them could not be understood, how many failed. The two are disjoint."""

    read: int = 0
    syntax_errors: int = 0
    failures: int = 0

    def count(self, answer: Answer) -> None:
        """Count one command by its answer."""
        self.read += 1
        if answer.syntax:
            self.syntax_errors += 1
        elif answer.completion == 2:
            self.failures += 1

    def lines(self) -> tuple[str, str, str]:
        """The closing lines; No and One are words, other numbers digits."""
        read, wrong, failed = self.read, self.syntax_errors, self.failures
        return (
            f"{_number(read)} MQSC {'command' if read == 1 else 'commands'} read.",
            f"{_number(wrong)} {'command has' if wrong == 1 else 'commands have'} a syntax error.",
            "All valid MQSC commands were processed."
            if failed == 0
            else f"{_number(failed)} valid MQSC {'command' if failed == 1 else 'commands'} could not be processed.",
        )

    @property
    def exit_code(self) -> int:
        """0 when every command was carried out, else 10."""
        return 10 if self.syntax_errors or self.failures else 0


def _number(number: int) -> str:
    return {0: "No", 1: "One"}.get(number, str(number))
