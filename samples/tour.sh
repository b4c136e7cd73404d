#!/bin/sh
# A walk through the main job: MQSC in, messages expire, REFRESH clears them, Spark reports on it.
#     sh samples/tour.sh [FOLDER]      the store and the report are kept when a FOLDER is named
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/samples/setup.sh"

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    folder=$(CDPATH='' cd -- "$1" && pwd)
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    trap 'exit 130' INT TERM
fi
cd "$root"

# Every command below works on this store and this queue manager; on the command line they are --store and -m.
MQSC_STORE=sqlite:///$folder/shop.db
MQSC_QMGR=SHOP
export MQSC_STORE MQSC_QMGR

explain() {
    printf '\n# %s\n' "$*"
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

explain "A queue manager in an SQLite file, with a clock that moves only when told: it starts on a Monday at 09:00."
show mqsc qmgr create SHOP --clock manual
show mqsc clock set 2026-03-02T09:00:00Z

explain "A script as it would be given to runmqsc: queues, a process, a dead-letter queue. Echo, replies and tally are on stdout."
show mqsc run samples/shop.mqsc

explain "404 messages. Orders never expire; quotes live a minute (--expiry counts tenths of a second)."
show mqsc put SHOP.WEB.ORDERS "one espresso machine" --count 100 --persistent
show mqsc put SHOP.QUOTES "249.00 EUR" --count 120 --expiry 600
explain "These quotes have no expiry of their own: CAPEXPRY(3000) on the queue gives them five minutes."
show mqsc put SHOP.QUOTES "19.90 EUR" --count 4
explain "Stock checks live ten seconds, and a report is asked for when one expires; carts live half an hour."
show mqsc put SHOP.STOCK.CHECK "espresso machine?" --count 80 --expiry 100 --report expiration --reply-to-q SHOP.REPORTS
show mqsc put SHOP.CARTS "a cart" --count 100 --expiry 18000

explain "Ninety seconds pass: 120 quotes and all stock checks have expired. They stay on their queue, and count, until somebody meets them."
show mqsc clock advance 90s
show mqsc run -e -c "DISPLAY QLOCAL('SHOP.*') WHERE(CURDEPTH GT 0)"

explain "A get meets the expired quotes at the head of the queue, discards them, and returns the first that is still good."
show mqsc get SHOP.QUOTES

explain "REFRESH discards what is left of the expired messages on every queue that matches, and sends the reports asked for."
show mqsc run -c "REFRESH QMGR TYPE(EXPIRY) NAME('SHOP.*')"

explain "The queues that still hold messages: no stock check is left, their reports have arrived, and three good quotes remain."
show mqsc run -e -c "DISPLAY QLOCAL('SHOP.*') WHERE(CURDEPTH GT 0)"

explain "Ten minutes later those three are past their time too, and nobody has come by."
show mqsc clock advance 10m

explain "Spark reads the history: what expired per queue and hour, by which cause, how late it was found, and what is overdue now."
show mqsc report expired-messages --out "$folder/report" --as csv

explain "The same tables as CSV files. Lifetime is from put to discard, lateness from expiry to discard, both in seconds."
for table in "$folder"/report/*/*.csv; do
    printf '\n%s\n' "${table#"$folder"/}"
    cat "$table"
done
