"""Finds our modules under the names of IBM's extensions.

`mqsc client` loads this file when a program starts, so it imports nothing but the standard library.
"""

import os
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType

_MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "modules")
_REPLACED = {"ibmmq.ibmmqc": "ibmmqc.py", "pymqi.pymqe": "pymqe.py"}


class Replacements:
    """A finder for `sys.meta_path`."""

    @staticmethod
    def find_spec(
        name: str,
        path: object = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Our module instead of IBM's extension; None for any other module."""
        file = _REPLACED.get(name)
        return None if file is None else spec_from_file_location(name, os.path.join(_MODULES, file))
