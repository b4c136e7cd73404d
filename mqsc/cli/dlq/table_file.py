"""The rules table in a file that a command names."""

from mqsc.console.inputs import InputSource, opened_lines
from mqsc.dlq.table_reading import ParsedTable, parse_table


def parsed_table(rules: str) -> ParsedTable:
    source = InputSource(path=rules)
    with opened_lines(source) as lines:
        return parse_table(lines, source.name)
