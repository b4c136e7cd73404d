"""SQL and frames that several reports are computed with."""

from pyspark.sql import Column, DataFrame, Window, functions as F

from mqsc.store.published import KEPT_BYTES, reason_names

# Start of the hour of an event, microseconds UTC.
HOUR = "at - pmod(at, 3600000000)"
# Control characters but tabs and ends of lines, as a regular expression in SQL.
_CONTROLS = r"[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]"
# Of the longest character.
_UTF8_BYTES = 4


def grouped(frame: DataFrame, by: str, *columns: str) -> DataFrame:
    """One row per group of equal values in the columns `by`, with columns of SQL such as
    `count(*) AS messages`.
    """
    # Java looks up a column of a frame faster than one by its name alone.
    return frame.groupBy(*(frame[name] for name in by.split())).agg(*map(F.expr, columns))


def last_earlier(value: str, by: str) -> Column:
    """The last value that is not NULL of earlier events with equal values in the columns `by`."""
    # A join with all earlier events would have rows by the square of the history.
    earlier = (
        Window.partitionBy(*by.split()).orderBy("seq").rowsBetween(Window.unboundedPreceding, -1)
    )
    return F.last(F.expr(value), ignorenulls=True).over(earlier)


def with_kept_data(messages: DataFrame, kept: DataFrame) -> DataFrame:
    """The messages whose data was kept: that with which each left its queue first, as commands
    show.
    """
    message = "store qmgr queue msg_id put_at"
    first = grouped(kept, message, "min_by(struct(size, body), id) AS data")
    return messages.join(first, message.split()).select("*", "data.size", "data.body")


def elapsed(since: str, until: str) -> str:
    """SQL for the microseconds between two times; NULL if one of them is NULL."""
    # A clock may have run backwards, so the difference is never below 0.
    return f"CASE WHEN {until} > {since} THEN {until} - {since} WHEN {until} <= {since} THEN 0 END"


def reason_name(number: str) -> str:
    """SQL for the name of a reason or feedback code; NULL for a number without a name."""
    codes = reason_names()
    # Not str_to_map: the first use of it in a process makes tables of collations, which takes two
    # seconds.
    names = (
        f"map_from_arrays(split('{','.join(map(str, codes))}', ','), "
        f"split('{','.join(codes.values())}', ','))"
    )
    return f"try_element_at({names}, CAST({number} AS STRING))"


def text_of(data: str) -> str:
    """SQL for data of messages as text; NULL if it is not UTF-8, or has control characters.

    Of data that was cut, as `size` says, the last character may be incomplete.
    """
    shorter = (f"substr({data}, 1, length({data}) - {less})" for less in range(1, _UTF8_BYTES))
    whole, *cut = (f"try_validate_utf8(CAST({each} AS STRING))" for each in (data, *shorter))
    text = f"coalesce({whole}, IF(size > {KEPT_BYTES}, coalesce({', '.join(cut)}), NULL))"
    return f"IF({text} RLIKE '{_CONTROLS}', NULL, {text})"


def base64_of(data: str) -> str:
    """SQL for data of messages in base64; NULL if `text_of` has it as text."""
    return f"IF({text_of(data)} IS NULL, base64({data}), NULL)"
