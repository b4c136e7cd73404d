#!/bin/sh
# Build the documentation as a site with search and references: sh docs/build.sh [FOLDER]; the default is build/site.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
. "$root/samples/setup.sh"
cd "$root"
exec python -m mqsc.manual site "${1:-build/site}"
