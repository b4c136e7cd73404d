"""Placeholders of template languages in scripts: $X, {{ x }}, <NAME>, and MQ's +NAME+.

Variables of `--set` are written ${NAME}.
"""

import re
from typing import NamedTuple

# The forms of placeholders; the name is in the group that matched.
_FORMS = (
    r"\$\{([^}\s]*)\}?",
    r"\{\{\s*([^}\s]*)[^}]*\}*",
    r"\$\(([^)\s]*)\)?",
    r"\$(\w+)",
    r"<([^<>]+)>",
    r"\u2039([^\u203a\s]*)\u203a?",
    r"__(\w+?)__",
    r"@@(\w+?)@@",
    r"#\{([^}\s]*)\}?",
    r"&lt;(.*?)&gt;",
    r"\+([A-Za-z_]\w*)\+",
)
_PLACEHOLDER = re.compile("|".join(_FORMS))
# The characters allowed between an error and the placeholder that it is about.
_SAME_VALUE = re.compile(r"'?[^\s()']*")
# How many characters before and after an error are examined.
REACH = 80


class Placeholder(NamedTuple):
    """A placeholder as written, and the variable that can take its place."""

    written: str
    name: str

    @property
    def sentence(self) -> str:
        """The message: what the placeholder is, and how to replace it."""
        insert = "is an insert that only MQ's automatic configuration of uniform clusters replaces"
        return (
            f"{self.written} {insert if self.written.startswith('+') else 'is a placeholder'}: "
            f"{self.remedy}."
        )

    @property
    def remedy(self) -> str:
        """How to replace the placeholder by a value."""
        cure = f"give --set {self.name}=VALUE"
        variable = f"${{{self.name}}}"
        return cure if self.written == variable else f"write {variable} and {cure}"


def placeholder_at(text: str, at: int) -> Placeholder | None:
    """The placeholder that covers the offset `at`, or that is in the value that starts there."""
    start = max(0, at - REACH)
    for placeholder in _PLACEHOLDER.finditer(text[start : at + REACH]):
        first, beyond = placeholder.start() + start, placeholder.end() + start
        if first <= at < beyond or (at < first and _SAME_VALUE.fullmatch(text[at:first])):
            return Placeholder(
                placeholder.group(),
                _variable(next((each for each in placeholder.groups() if each), "")),
            )
    return None


def _variable(text: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_")
    return name if name and not name[0].isdigit() else f"NAME{name}"
