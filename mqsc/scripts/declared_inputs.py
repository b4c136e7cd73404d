"""The files of `mqsc apply` and `mqsc diff`: read at once, with their variables, as the commands to be compared."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from mqsc.apply.declarations import DeclaredCommand, statements_in
from mqsc.console.inputs import SCRIPT_SUFFIX, InputSource, named_by, read_now
from mqsc.console.options import Choices
from mqsc.console.target import NothingRunError, path_of_file
from mqsc.counted import counted
from mqsc.scripts.script_run import print_error
from mqsc.scripts.variable_options import check_variables, values_of


def inputs_named_by(choices: Choices, files: Sequence[str]) -> list[InputSource]:
    """The inputs that the arguments name, in memory; the files of the store are refused when they are opened."""
    store = path_of_file(choices)
    return [read_now(source, store) for path in files for source in named_by(path)]


def declared_in(sources: Sequence[InputSource], settings: Sequence[str], *, purpose: str) -> list[DeclaredCommand]:
    """The commands of the inputs, with the values of --set; NothingRunError if an input cannot be read."""
    values = values_of(settings) if settings else None
    if values is not None:
        check_variables(sources, values)
    faults = [source.fault for source in sources if source.fault]
    for fault in faults:
        print_error(fault)
    if faults:
        raise NothingRunError(f"{purpose} needs all inputs")
    return statements_in(sources, values)


def check_subfolders(files: Sequence[str], sources: Sequence[InputSource], *, refuse: bool) -> None:
    """Warn of scripts in subfolders of the folders named, which are left out; NothingRunError with `refuse`."""
    known = {os.path.realpath(source.path) for source in sources if source.path}
    for folder in filter(os.path.isdir, files):
        missing = [path for path in _scripts_below(folder) if os.path.realpath(path) not in known]
        if not missing:
            continue
        left_out = f"{folder}: subfolders are not read, and {missing[0]} is left out"
        if len(missing) > 1:
            left_out = (
                f"{folder}: subfolders are not read, and {counted(len(missing), 'script')} left out: {missing[0]} ..."
            )
        way_out = f"name '{os.path.join(folder, '**', '*' + SCRIPT_SUFFIX)}', or add --no-subfolders"
        if refuse:
            raise NothingRunError(f"nothing was changed: {left_out}; --prune would delete what it defines; {way_out}")
        print_error(f"{left_out}; {way_out}")


def _scripts_below(folder: str) -> Iterator[str]:
    """The scripts in subfolders, sorted; hidden ones do not count."""
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if path != folder:
            scripts = (name for name in sorted(names) if name.endswith(SCRIPT_SUFFIX) and not name.startswith("."))
            yield from (os.path.join(path, name) for name in scripts)
