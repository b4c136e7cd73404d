"""Every command of the command line: what its function takes."""

import inspect
from typing import Any

import click
import pytest

from tests.mqsc.console.test_help import PATHS

# The past of a store, and a copy of a queue manager elsewhere, are opened before the function is
# called.
OF_ITS_STORE = {"as_of", "as_of_archive", "on", "from_file", "most"}
# IBM's commands have callbacks of a table of their own.
OURS = [
    pytest.param(command, id=path)
    for path, command in PATHS.items()
    if command.callback is not None and command.callback.__module__.startswith("mqsc.cli.")
]


@pytest.mark.parametrize("command", OURS)
def test_a_function_names_and_types_each_of_its_options(command: click.Command) -> None:
    assert command.callback is not None
    signature = inspect.signature(command.callback)
    taken = signature.parameters.keys() - {"choices", "context"}
    given = {str(each.name) for each in command.params if each.expose_value}
    assert taken <= given
    assert given - taken <= OF_ITS_STORE
    types = [each.annotation for each in signature.parameters.values()]
    assert not {Any, "Any", inspect.Parameter.empty} & {*types}
