"""A failure of a command that has texts and exit codes of its own."""

import click


class PlainFailureError(click.ClickException):
    """The command failed with this exit code. Its text is printed without `mqsc: `; a blank one
    is not printed.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code  # type: ignore[misc]
