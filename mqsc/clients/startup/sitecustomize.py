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
# Loaded by its path: importing the package would take longer than many programs run.
_FINDER = os.path.join(os.path.dirname(_HERE), "replaced_extensions.py")


def _loaded(spec: ModuleSpec) -> ModuleType:
    module = module_from_spec(spec)
    if spec.loader is not None:
        spec.loader.exec_module(module)
    return module


def _replace_extensions() -> None:
    spec = spec_from_file_location("mqsc_replaced_extensions", _FINDER)
    if spec is not None:
        sys.meta_path.insert(0, _loaded(spec).Replacements)


def _load_hidden() -> None:
    elsewhere = [each for each in sys.path if os.path.abspath(each) != _HERE]
    spec = PathFinder.find_spec("sitecustomize", elsewhere)
    if spec is not None and spec.loader is not None:
        hidden = module_from_spec(spec)
        sys.modules["sitecustomize"] = hidden
        spec.loader.exec_module(hidden)


_replace_extensions()
_load_hidden()
