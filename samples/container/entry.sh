#!/bin/sh
# What the container runs:
#     entry.sh serve [OPTIONS]         creates the queue manager MQ_QMGR_NAME unless the store has it, and works for it until SIGTERM
#     entry.sh every TIME COMMAND …    runs a command of mqsc again and again; TIME is that of sleep: 900, 15m, 1d
#     entry.sh COMMAND …               runs a command of mqsc: docker run --rm -v mqsc:/var/mqsc mqsc depth DEV.QUEUE.1
# IBM's variables: MQ_QMGR_NAME (QM1 by default), MQ_DEV, MQ_APP_PASSWORD, MQ_ADMIN_PASSWORD, MQ_ENABLE_METRICS; and its
# secrets mqAppPassword and mqAdminPassword.
set -eu
name=${MQ_QMGR_NAME:-QM1}
scripts=${MQSC_SCRIPTS:-/etc/mqm}
secrets=${MQSC_SECRETS:-/run/secrets}
sleeping=
# Process 1 ignores signals that it does not ask for.
trap '[ -z "$sleeping" ] || kill "$sleeping"; exit 143' TERM
trap '[ -z "$sleeping" ] || kill "$sleeping"; exit 130' INT

# Adds the user $1 in the group $2 if there is a password: in the secret $3, or else $4.
add_user() {
    password=$4
    [ ! -f "$secrets/$3" ] || password=$(cat "$secrets/$3")
    [ -z "$password" ] || printf '%s\n' "$password" | mqsc user add "$1" --group "$2" --quiet
}

create() {
    if [ "${MQ_DEV:-true}" != true ]; then
        mqsc qmgr create "$name" --default
        return
    fi
    mqsc qmgr create "$name" --default --dev
    add_user app mqclient mqAppPassword "${MQ_APP_PASSWORD:-}"
    add_user admin mqm mqAdminPassword "${MQ_ADMIN_PASSWORD:-}"
}

prepare() {
    case $(dspmq -m "$name" 2>/dev/null) in
        *Running*) ;;
        '') create ;;
        *) mqsc qmgr start "$name" ;;
    esac
    for script in "$scripts"/*.mqsc; do
        [ ! -f "$script" ] || mqsc run --quiet -m "$name" "$script"
    done
}

case ${1:-serve} in
    serve)
        [ $# -eq 0 ] || shift
        prepare
        [ "${MQ_ENABLE_METRICS:-}" != true ] || set -- --metrics 0.0.0.0:9157 "$@"
        unset MQ_APP_PASSWORD MQ_ADMIN_PASSWORD
        exec mqsc serve "$@"
        ;;
    every)
        if [ $# -lt 3 ]; then
            echo "entry.sh: every TIME COMMAND …, such as: every 15m expiry" >&2
            exit 20
        fi
        pause=$2
        shift 2
        while :; do
            mqsc "$@" || echo "entry.sh: mqsc $1 ended with exit code $?" >&2
            sleep "$pause" &
            sleeping=$!
            wait "$sleeping"
        done
        ;;
    *) exec mqsc "$@" ;;
esac
