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
        return (
            f"{_number(read)} MQSC {'command' if read == 1 else 'commands'} read.",
            f"{_number(wrong)} {'command has' if wrong == 1 else 'commands have'} a syntax error.",
            _processed(self.failures),
        )

    @property
    def exit_code(self) -> int:
        """0 if all commands succeeded, else 10."""
        return 10 if self.syntax_errors or self.failures else 0


def _processed(failures: int) -> str:
    if not failures:
        return "All valid MQSC commands were processed."
    commands = "command" if failures == 1 else "commands"
    return f"{_number(failures)} valid MQSC {commands} could not be processed."


def _number(number: int) -> str:
    return {0: "No", 1: "One"}.get(number, str(number))
