"""The environment variables with which Python programs use a store through IBM's clients."""

import os
from collections.abc import Mapping
from pathlib import Path

from mqsc.clients.connection_settings import VARIABLE, ClientSettings, as_text

_FOLDER = Path(__file__).parent
MODULES, STARTUP = _FOLDER / "modules", _FOLDER / "startup"
# The library that IBM's extensions need, by system.
_LIBRARIES = ("libmqm_r.so", "libmqm_r.dylib")
_INSTALLED = "/opt/mqm"


def program_environment(
    url: str,
    qmgr: str | None,
    inherited: Mapping[str, str],
    *,
    replace: bool,
    settings: ClientSettings | None = None,
) -> dict[str, str]:
    """The variables to set: the store, its queue manager for programs that name none, the settings
    of connections, and the path of our modules.

    With `replace`, our modules are found before IBM's extensions. The path alone does not ensure
    it: the package ibmmq puts its own folder first, and a process that multiprocessing starts
    inherits that.
    """
    ours = [str(each) for each in ((STARTUP, MODULES) if replace else (MODULES,))]
    rest = [
        part
        for part in inherited.get("PYTHONPATH", "").split(os.pathsep)
        if part and part not in ours
    ]
    variables = {"MQSC_STORE": url, "PYTHONPATH": os.pathsep.join([*ours, *rest])}
    if settings is not None:
        variables[VARIABLE] = as_text(settings)
    return variables if qmgr is None else {**variables, "MQSC_QMGR": qmgr}


def installed_library(variables: Mapping[str, str]) -> Path | None:
    """IBM's library, if it is installed where its clients look for it."""
    roots = [variables.get(name, "") for name in ("MQ_FILE_PATH", "MQ_INSTALLATION_PATH")]
    folders = [
        f"{root}/{each}" for root in (*roots, _INSTALLED) if root for each in ("lib64", "lib")
    ]
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        folders += variables.get(name, "").split(os.pathsep)
    for folder in filter(None, folders):
        for library in _LIBRARIES:
            path = Path(folder, library)
            if path.exists():
                return path
    return None
