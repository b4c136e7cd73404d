#!/bin/sh
# A tour: run an MQSC script, let messages expire, discard them with REFRESH, and report on it with Spark.
#     sh samples/tour.sh [FOLDER]      keeps the store and the report in FOLDER; without it they are deleted at the end
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/samples/setup.sh"
prepare_reports &
preparing=$!

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    folder=$(CDPATH='' cd -- "$1" && pwd)
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
fi
cd "$root"

# The store and the queue manager of all commands below; the options --store and -m do the same.
MQSC_STORE=sqlite:///$folder/shop.db
MQSC_QMGR=SHOP
export MQSC_STORE MQSC_QMGR

width=$(tput cols 2>/dev/null) || width=80
[ "$width" -le 100 ] || width=100

explain() {
    echo
    printf '%s\n' "$*" | fold -s -w $((width - 2)) | sed 's/^/# /; s/ *$//'
}

# Shows a command as it would be typed, then runs it.
show() {
    printf '$'
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./:=-]*) printf ' "%s"' "$word" ;;
            *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
    "$@"
}

explain "Create a queue manager in an SQLite file. Its clock is manual: it moves only on command, and starts on a Monday at 09:00."
show mqsc qmgr create SHOP --clock manual
show mqsc clock set 2026-03-02T09:00:00Z

explain "Run an MQSC script, as with runmqsc. It defines queues, a process and a dead-letter queue."
show mqsc run samples/shop.mqsc

explain "Put 404 messages. Orders never expire; quotes expire after a minute (--expiry is in tenths of a second)."
show mqsc put SHOP.WEB.ORDERS "one espresso machine" --count 100 --persistent
show mqsc put SHOP.QUOTES "249.00 EUR" --count 120 --expiry 600
explain "These quotes have no expiry of their own. CAPEXPRY(3000) of the queue limits them to five minutes."
show mqsc put SHOP.QUOTES "19.90 EUR" --count 4
explain "Stock checks expire after ten seconds and ask for a report when they do. Carts expire after half an hour."
show mqsc put SHOP.STOCK.CHECK "espresso machine?" --count 80 --expiry 100 --report expiration --reply-to-q SHOP.REPORTS
show mqsc put SHOP.CARTS "a cart" --count 100 --expiry 18000

explain "Ninety seconds later, 120 quotes and all stock checks have expired. They stay on their queues, and count towards CURDEPTH, until a get or a scan discards them."
show mqsc clock advance 90s
show mqsc run -e -c "DISPLAY QLOCAL('SHOP.*') WHERE(CURDEPTH GT 0)"

explain "A get discards the expired quotes at the head of the queue and returns the first one that has not expired."
show mqsc get SHOP.QUOTES

explain "REFRESH discards the remaining expired messages on all matching queues and sends the reports."
show mqsc run -c "REFRESH QMGR TYPE(EXPIRY) NAME('SHOP.*')"

explain "These queues still hold messages. The stock checks are gone, their 80 reports have arrived, and three quotes remain."
show mqsc run -e -c "DISPLAY QLOCAL('SHOP.*') WHERE(CURDEPTH GT 0)"

explain "Ten minutes later those three quotes have expired too, but nothing has discarded them yet."
show mqsc clock advance 10m

explain "Spark reports on the history: what expired by queue and hour, what discarded it and how late, and what is overdue now."
wait "$preparing"
show mqsc report expired-messages --out "$folder/report" --as csv

explain "The same tables as CSV files. Lifetime is the time from put to discard, lateness the time from expiry to discard, in seconds."
for table in "$folder"/report/*/*.csv; do
    printf '\n%s\n' "${table#"$folder"/}"
    cat "$table"
done

explain "The end of the tour. README.md leads to the pages on triggering, dead letters, scripts, Python and more."
