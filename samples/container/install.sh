#!/bin/sh
# Installs the product in the Debian that becomes the image, and removes the rest of it: sh samples/container/install.sh EXTRAS
# Only for the Dockerfile: it deletes the package manager of the system that it runs on.
set -eu
extras=$1
# Spark, which is tried here, looks up the name of the machine otherwise, and a container may not know its own.
export SPARK_LOCAL_IP=127.0.0.1
java=
case ,$extras, in *,reports,*) java=openjdk-17-jre-headless ;; esac
export DEBIAN_FRONTEND=noninteractive
# The packages of Java put manual pages there, and a slim Debian does not have the folder.
mkdir -p /usr/share/man/man1
apt-get update -qq
# shellcheck disable=SC2086 # no package, or one
apt-get install -y -qq --no-install-recommends python3 python3-venv binutils tzdata $java

python3 -m venv /opt/mqsc
/opt/mqsc/bin/pip install --no-cache-dir --no-compile -q -c constraints.txt ".[$extras]"
install -m 755 samples/container/entry.sh /opt/mqsc/
mkdir /etc/mqm
# The number is that of the Dockerfile.
install -d -o 10001 -g 10001 -m 700 /var/mqsc
echo 'mqsc:x:10001:10001::/var/mqsc:/bin/sh' >>/etc/passwd
echo 'mqsc:x:10001:' >>/etc/group
[ -z "$java" ] || /opt/mqsc/bin/python -m mqsc.reports.prepare

# Symbols, tests of libraries, and colours for 500 languages take 25 MB. Libraries of Spark must stay as they are.
packages=$(echo /opt/mqsc/lib/python3*/site-packages)
/opt/mqsc/bin/pip uninstall -q -y pip setuptools
find "$packages" -name '*.so' -not -path '*/pyarrow/*' -not -path '*/adbc*' -exec strip --strip-unneeded {} +
rm -rf "$packages/sqlalchemy/testing" "$packages"/pygments/lexers/[a-z]*.py
# A root file system that cannot be written must hold the compiled modules.
/opt/mqsc/bin/python -m compileall -q /opt/mqsc/lib || true
apt-get purge -y -qq --auto-remove binutils python3-venv

# The package manager, Perl, what administers a system, and documentation: two fifths of what is left.
cd /usr/lib/*-linux-gnu
rm -rf gconv perl* libperl* libapt* libgnutls* libp11-kit* libunistring* libdb-* libgcrypt* libsystemd* security
cd /usr
rm -rf sbin/* bin/apt* bin/dpkg* bin/gpgv bin/localedef bin/openssl bin/perl* lib/apt lib/dpkg lib/python3/dist-packages \
    lib/python3*/lib2to3 lib/python3*/distutils lib/python3*/pydoc_data lib/python3*/ensurepip \
    share/doc share/info share/locale share/man share/perl* share/python-wheels
rm -rf /source/* /tmp/* /root/.cache /var/cache/* /var/lib/apt /var/lib/dpkg/info /var/log/*
