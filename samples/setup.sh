# samples/tour.sh and tests/run.sh source this file with $root set to the top of the tree. It makes .venv, installs the
# product into it with the packages of requirements.lock, whose hashes pip checks, and finds or installs the Java runtime
# that Spark needs. If $also names Debian packages, the first of them that can be installed is installed, too. A second run
# finds everything in place and takes almost no time.
# MQSC_WITHOUT_HASHES=1 takes the same versions from a registry whose files are others, such as one that builds its own.

export DEBIAN_FRONTEND=noninteractive PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1
environment=$root/.venv
python=$environment/bin/python
# Otherwise each of the many programs that follow would compile the product anew.
unset PYTHONDONTWRITEBYTECODE

say() {
    printf 'set-up: %s\n' "$*" >&2
}

give_up() {
    say "$*"
    exit 20
}

# Installs the Debian packages $2 ..., for the purpose $1. Fails without apt, or when root would need a password.
apt_install() {
    purpose=$1
    shift
    command -v apt-get >/dev/null 2>&1 || return 1
    become=
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null || return 1
        become="sudo -n env DEBIAN_FRONTEND=noninteractive"
    fi
    say "installing $* with apt-get: $purpose"
    # The lists already on the machine may be good enough.
    $become apt-get update -qq </dev/null >&2 || say "apt-get update failed; using the package lists already on this machine"
    talk=$($become apt-get install -y -qq --no-install-recommends "$@" </dev/null 2>&1) || {
        printf '%s\n' "$talk" >&2
        return 1
    }
}

# Prints the name of a Python that is new enough.
new_enough_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    return 1
}

make_environment() {
    base=$(new_enough_python) || give_up "Python 3.11 or newer is needed but was not found; please install it."
    say "making $environment"
    # Without python3-venv, Debian's Python fails and leaves an incomplete environment behind.
    if ! "$base" -m venv --clear "$environment" >/dev/null 2>&1; then
        version=$("$base" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        why="the part of Python that makes virtual environments"
        apt_install "$why" python3-venv || apt_install "$why" "$version" || true
        "$base" -m venv --clear "$environment" >/dev/null 2>&1 || {
            rm -rf "$environment"
            give_up "$base cannot make a virtual environment; please install the package $version (or python3-venv)."
        }
    fi
}

# What an up-to-date installation depends on. The path is included because a moved tree needs a new installation.
wanted() {
    printf '%s\n' "$root"
    cat "$root/pyproject.toml" "$root/constraints.txt" "$root/requirements.lock" | cksum
}

# Runs a command of pip that checks the hashes of what it is given with -r; nothing else is installed.
with_pip() {
    command=$1
    shift
    "$python" -m pip "$command" -qq --no-deps "$@" </dev/null >&2
}

# Prints what requirements.lock says about the package $1, or with "others", about all but that.
part_of_lock() {
    awk -v only="$1" -v others="${2:-}" '
        /^[a-z]/ { name = $0; sub(/==.*/, "", name); matches = name == only }
        !/^#/ && (others == "others" ? !matches : matches)
    ' "$root/requirements.lock"
}

install_product() {
    stamp=$environment/installed
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ]; then
        return 0
    fi
    say "installing the product, Spark and its other dependencies into $environment (the first time, a download of about 700 MB)"
    if [ "${MQSC_WITHOUT_HASHES:-}" = 1 ]; then
        "$python" -m pip install -qq --no-compile -c "$root/constraints.txt" -e "$root[reports,test]" </dev/null >&2 ||
            give_up "pip could not install the product; see its output above."
    else
        install_with_hashes
    fi
    # pip would compile with one processor only. Without compiled files, tests that count warnings would see those of
    # the compiler about other people's modules. Some packages have files for other versions of Python, which cannot be
    # compiled and are never imported.
    "$python" -m compileall -q -j 0 "$environment/lib" >/dev/null 2>&1 || true
    wanted >"$stamp"
}

# Everything but Spark is installed while pip makes a wheel of that, which takes longest. What fails there fails again
# below, which says why.
install_with_hashes() {
    parts=$(mktemp -d)
    for package in setuptools pyspark; do
        part_of_lock "$package" >"$parts/$package"
    done
    part_of_lock pyspark others >"$parts/others"
    # Builds the wheel of Spark, and that of the product.
    with_pip install --no-compile --require-hashes -r "$parts/setuptools" || cannot_install
    with_pip install --no-compile --require-hashes -r "$parts/others" >/dev/null 2>&1 &
    others=$!
    if ! "$python" -m pip show -qq pyspark 2>/dev/null; then
        # Compressing the wheel would only take time.
        printf '[bdist_wheel]\ncompression = stored\n' >"$parts/wheels.cfg"
        (
            export DIST_EXTRA_CONFIG="$parts/wheels.cfg"
            with_pip wheel --no-build-isolation --require-hashes -w "$parts/wheels" -r "$parts/pyspark"
        ) >/dev/null 2>&1 || true
    fi
    wait "$others" || true
    for wheel in "$parts"/wheels/pyspark-*.whl; do
        # It was made here, of a file whose hash was checked.
        [ ! -f "$wheel" ] || with_pip install --no-compile --no-index "$wheel" || cannot_install
    done
    with_pip install --no-compile --require-hashes -r "$root/requirements.lock" || cannot_install
    with_pip install --no-compile --no-build-isolation -e "$root" || cannot_install
    rm -rf "$parts"
}

cannot_install() {
    rm -rf "$parts"
    give_up "pip could not install the product; see its output above. MQSC_WITHOUT_HASHES=1 checks no hashes."
}

# Prints the home of the Java runtime of the command $1 if Spark can run on it.
usable_java_home() {
    settings=$("$1" -XshowSettings:properties -version 2>&1) || return 1
    version=$(printf '%s\n' "$settings" | sed -n 's/^ *java\.specification\.version = //p')
    case $version in '' | *[!0-9]*) return 1 ;; esac
    [ "$version" -ge 17 ] || return 1
    # Spark does not start on a reduced runtime without this module.
    "$1" --list-modules 2>/dev/null | grep -q '^jdk\.incubator\.vector' || return 1
    printf '%s\n' "$settings" | sed -n 's/^ *java\.home = //p'
}

# Prints the home of a Java runtime that Spark can run on.
find_java() {
    for candidate in "${JAVA_HOME:-/nowhere}/bin/java" "$(command -v java)" /usr/lib/jvm/*/bin/java \
        /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java /opt/homebrew/opt/openjdk*/bin/java; do
        if [ -x "$candidate" ] && usable_java_home "$candidate"; then
            return 0
        fi
    done
    return 1
}

# Writes the home of the Java runtime to the file $java, if there is none yet, after installing one where necessary.
provide_java() {
    if [ -f "$java" ] && [ -x "$(cat "$java")/bin/java" ]; then
        return 0
    fi
    rm -f "$java"
    home=$(find_java) || {
        why="the Java runtime that Spark needs for reports (a download of about 60 MB)"
        apt_install "$why" openjdk-17-jre-headless || apt_install "$why" default-jre-headless || true
        home=$(find_java) || return 1
    }
    printf '%s\n' "$home" >"$java"
}

# Archives the Java classes that Spark loads. It takes half a minute once, and reports then start in half the time.
prepare_reports() {
    "$python" -m mqsc.reports.prepare >&2 || say "reports will start more slowly"
}

# Installs the first of these packages that can be installed. Nothing depends on it.
provide_also() {
    [ $# -gt 0 ] || return 0
    for package in "$@"; do
        ! apt_install "the browser that MQSC_INSTALL_BROWSER asks for (a download of about 100 MB)" "$package" || return 0
    done
    say "cannot install $1"
}

"$python" -c '' 2>/dev/null || make_environment
# apt works while pip does.
java=$environment/java-home
(
    code=0
    provide_java || code=$?
    # shellcheck disable=SC2086 # several names
    provide_also ${also:-}
    exit "$code"
) &
providing=$!
install_product
wait "$providing" ||
    give_up "a Java runtime, version 17 or newer, is needed for the reports but was not found; please install one (on Debian: openjdk-17-jre-headless)."
JAVA_HOME=$(cat "$java")
export JAVA_HOME
PATH=$environment/bin:$PATH
export PATH
