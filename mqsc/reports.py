"""The package `reports` under its public name, in a clone. An installed mqsc has the package itself in this place."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import reports

if TYPE_CHECKING:
    from reports import ReportError as ReportError
    from reports import ReportFailedError as ReportFailedError
    from reports import Result as Result
    from reports import describe as describe
    from reports import names as names
    from reports import run as run

sys.modules[__name__] = reports
