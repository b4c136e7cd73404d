"""The package `reports` under its public name, in a clone. An installed mqsc has the package itself in this place."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import reports

if TYPE_CHECKING:
    from reports import (
        ReportError as ReportError,
        ReportFailedError as ReportFailedError,
        Result as Result,
        describe as describe,
        names as names,
        run as run,
    )

sys.modules[__name__] = reports
