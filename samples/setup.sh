# Sourced by samples/tour.sh and tests/run.sh, with $root set to the top of the tree: everything that has to be there
# before the product runs. Makes .venv, installs the product into it at the versions of constraints.txt, and sees to a
# Java runtime, which Spark needs. What is there already is left alone, so a second time this takes no time to speak of.

export DEBIAN_FRONTEND=noninteractive PIP_NO_INPUT=1 PIP_DISABLE_PIP_VERSION_CHECK=1
environment=$root/.venv
python=$environment/bin/python

say() {
    printf 'set-up: %s\n' "$*" >&2
}

give_up() {
    say "$*"
    exit 20
}

# Installs Debian packages; false where there is no apt or no way to become root without a password.
apt_install() {
    command -v apt-get >/dev/null 2>&1 || return 1
    become=
    if [ "$(id -u)" -ne 0 ]; then
        sudo -n true 2>/dev/null || return 1
        become="sudo -n env DEBIAN_FRONTEND=noninteractive"
    fi
    say "installing $* with apt-get"
    # A list that cannot be fetched is no reason to stop: the package may be known all the same.
    $become apt-get update -qq </dev/null >&2 || say "apt-get update did not succeed; going on with the lists that are there"
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
    base=$(new_enough_python) || give_up "Python 3.11 or newer is needed and was not found; please install it."
    say "making $environment"
    # Debian's Python cannot make one until python3-venv is installed, and leaves half of it behind.
    if ! "$base" -m venv --clear "$environment" >/dev/null 2>&1; then
        version=$("$base" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
        apt_install python3-venv || apt_install "$version" || true
        "$base" -m venv --clear "$environment" >/dev/null 2>&1 || {
            rm -rf "$environment"
            give_up "$base cannot make a virtual environment; please install the package $version (or python3-venv)."
        }
    fi
}

# What has to be the same for the installed product to be the right one; the path is in it because a moved tree needs a new install.
wanted() {
    printf '%s\n' "$root"
    cat "$root/pyproject.toml" "$root/constraints.txt" | cksum
}

install_product() {
    stamp=$environment/installed
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(wanted)" ]; then
        return 0
    fi
    say "installing the product and what it needs (some hundred megabytes the first time)"
    "$python" -m pip install -qq -c "$root/constraints.txt" -e "$root[test]" </dev/null >&2 ||
        give_up "pip could not install the product; what it said stands above."
    wanted >"$stamp"
}

# Prints the home of the Java runtime behind the command $1 when Spark can run on it.
usable_java_home() {
    settings=$("$1" -XshowSettings:properties -version 2>&1) || return 1
    version=$(printf '%s\n' "$settings" | sed -n 's/^ *java\.specification\.version = //p')
    case $version in '' | *[!0-9]*) return 1 ;; esac
    [ "$version" -ge 17 ] || return 1
    # Runtimes cut down to a few modules exist, and Spark does not start on one without this module.
    "$1" --list-modules 2>/dev/null | grep -q '^jdk\.incubator\.vector' || return 1
    printf '%s\n' "$settings" | sed -n 's/^ *java\.home = //p'
}

find_java() {
    for candidate in "${JAVA_HOME:-/nowhere}/bin/java" "$(command -v java)" /usr/lib/jvm/*/bin/java \
        /Library/Java/JavaVirtualMachines/*/Contents/Home/bin/java /opt/homebrew/opt/openjdk*/bin/java; do
        if [ -x "$candidate" ] && usable_java_home "$candidate"; then
            return 0
        fi
    done
    return 1
}

provide_java() {
    found=$environment/java-home
    if [ -f "$found" ] && [ -x "$(cat "$found")/bin/java" ]; then
        JAVA_HOME=$(cat "$found")
    else
        JAVA_HOME=$(find_java) || {
            apt_install openjdk-17-jre-headless || apt_install default-jre-headless || true
            JAVA_HOME=$(find_java) ||
                give_up "a Java runtime, version 17 or newer, is needed for the reports and was not found; please install one (on Debian: openjdk-17-jre-headless)."
        }
        printf '%s\n' "$JAVA_HOME" >"$found"
    fi
    export JAVA_HOME
}

"$python" -c '' 2>/dev/null || make_environment
install_product
provide_java
# Keeps the classes that Spark loads (some seconds, once), so that every report starts in half the time.
"$python" -m reports.prepare >&2 || say "going on; reports start more slowly"
PATH=$environment/bin:$PATH
export PATH
