"""Loaded by Python when a program starts under `mqsc client`: our modules are found before IBM's
extensions.

Python loads one module of this name, so that of the environment, if there is one, is loaded from
here.
"""

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

_HERE = os.path.dirname(os.path.abspath(__file__))
_MODULES = os.path.join(os.path.dirname(_HERE), "modules")
_REPLACED = {"ibmmq.ibmmqc": "ibmmqc.py", "pymqi.pymqe": "pymqe.py"}


class Replacements:
    """Finds our modules under the names of IBM's extensions."""

    @staticmethod
    def find_spec(
        name: str,
        path: object = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        file = _REPLACED.get(name)
        return None if file is None else spec_from_file_location(name, os.path.join(_MODULES, file))


def _load_hidden() -> None:
    elsewhere = [each for each in sys.path if os.path.abspath(each) != _HERE]
    spec = PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        hidden = module_from_spec(spec)
        sys.modules["sitecustomize"] = hidden
        spec.loader.exec_module(hidden)


sys.meta_path.insert(0, Replacements)
_load_hidden()
