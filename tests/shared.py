"""What tests share with the programs that they start, which would import pytest or SQLAlchemy
longer than they run.
"""

from __future__ import annotations

# 2023-11-14 22:13:20 UTC.
START = 1_700_000_000_000_000
