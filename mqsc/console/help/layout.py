"""The layout of `--help`: click's, but in one column on a terminal that is too narrow for two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from mqsc.console.terminal import wrapped

# Below this width a column for the options leaves too little for what they mean.
_NARROW = 60
_HANGING = "    "


class HelpFormatter(click.HelpFormatter):
    """Breaks lines between words only, at any width."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        if self.width >= _NARROW:
            super().write_usage(prog, args, prefix)
            return
        for line in wrapped(" ".join(f"Usage: {prog} {args}".split()), self.width, hanging=_HANGING):
            self.write(f"{line}\n")

    def write_text(self, text: str) -> None:
        """As click does, but also break lines that a command asks to keep as they are, if they do not fit."""
        start = len(self.buffer)
        super().write_text(text)
        lines = "".join(self.buffer[start:]).split("\n")
        self.buffer[start:] = ["\n".join(part for line in lines for part in self._fitting(line))]

    def _fitting(self, line: str) -> Iterator[str]:
        indent = line[: len(line) - len(line.lstrip())]
        yield from [line] if len(line) <= self.width else wrapped(line.strip(), self.width, indent, indent + _HANGING)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        if self.width >= _NARROW:
            super().write_dl([*rows], col_max, col_spacing)
            return
        indent = " " * self.current_indent
        for term, meaning in rows:
            lines = [*wrapped(term, self.width, indent), *wrapped(meaning, self.width, indent + _HANGING)]
            self.write("".join(f"{line}\n" for line in lines if line.strip()))
