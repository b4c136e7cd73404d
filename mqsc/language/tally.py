"""The three closing lines of runmqsc, and the exit code."""

from __future__ import annotations

from msgspec import Struct

from mqsc.language.reply import Answer


class Tally(Struct):
    """Counts commands: all, those with a syntax error, and valid ones that failed."""

    read: int = 0
    syntax_errors: int = 0
    failures: int = 0

    def count(self, answer: Answer) -> None:
        self.read += 1
        if answer.syntax_error:
            self.syntax_errors += 1
        elif answer.completion == 2:
            self.failures += 1

    def lines(self) -> tuple[str, str, str]:
        """The closing lines; zero and one are words (No, One), other numbers are digits."""
        read = self.read
        wrong = self.syntax_errors
        failed = self.failures
        return (
            f"{_number(read)} MQSC {'command' if read == 1 else 'commands'} read.",
            f"{_number(wrong)} {'command has' if wrong == 1 else 'commands have'} a syntax error.",
            "All valid MQSC commands were processed."
            if failed == 0
            else (
                f"{_number(failed)} valid MQSC {'command' if failed == 1 else 'commands'} could "
                "not be processed."
            ),
        )

    @property
    def exit_code(self) -> int:
        """0 if all commands succeeded, else 10."""
        return 10 if self.syntax_errors or self.failures else 0


def _number(number: int) -> str:
    return {0: "No", 1: "One"}.get(number, str(number))
