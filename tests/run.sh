#!/bin/sh
# Checks everything: style, format, types, tests. With arguments, runs only pytest, with those arguments:
#     sh tests/run.sh                          everything
#     sh tests/run.sh --quick                  before each commit: style, format, and the tests in half of the
#                                              files, which start no programs and no Spark and need no long series of
#                                              random cases (tests/quick.py); two minutes once .venv is made
#     sh tests/run.sh tests/grammar -k quotes  some tests; paths are relative to the top of the tree
# MQSC_TIMES=10 tries ten times as many random cases in tests of properties; MQSC_KILLS=500 and others, which the tests
# name, make longer campaigns of kills and of damage.
# MQSC_INSTALL_BROWSER=1 also installs Chromium where there is none (Debian and Ubuntu, a download of about 100 MB). Without
# a browser, the tests that look at the pages of reports in one are skipped.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
also=
if [ "${MQSC_INSTALL_BROWSER:-}" = 1 ] && [ $# -eq 0 ]; then
    also="chromium-headless-shell chromium"
    for browser in chromium chromium-browser chromium-headless-shell google-chrome; do
        ! command -v "$browser" >/dev/null || also=
    done
fi
. "$root/samples/setup.sh"
cd "$root"

check_style() {
    "$python" -m ruff check || failed="$failed style"
    "$python" -m ruff format --check --quiet || failed="$failed format"
}

finish() {
    if [ -n "$failed" ]; then
        printf 'failed:%s\n' "$failed" >&2
        exit 1
    fi
    exit 0
}

failed=
if [ "${1:-}" = --quick ]; then
    check_style
    "$python" -m pytest -n 2 --dist loadscope "$@" || failed="$failed tests"
    finish
fi
if [ $# -gt 0 ]; then
    prepare_reports
    exec "$python" -m pytest "$@"
fi

prepare_reports &
preparing=$!
check_style
# Types are checked while tests wait for disks and processes; what it says comes after the tests.
types=$(mktemp)
nice "$python" -m mypy >"$types" 2>&1 &
checking=$!
# Compiles the tests of a new tree once; otherwise each worker would do it. An error appears again below, and counts there.
ls tests/__pycache__/conftest.*-pytest-*.pyc >/dev/null 2>&1 || "$python" -m pytest --collect-only -qq >/dev/null || true
wait "$preparing"
# Three workers keep two processors busy, because many tests wait. Those of reports share one, and with it a Spark session.
"$python" -m pytest -n 3 --dist loadscope || failed="$failed tests"
wait "$checking" || failed="$failed types"
cat "$types"
rm -f "$types"
finish
