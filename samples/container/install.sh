#!/bin/sh
# Installs the product in the Debian that becomes the image, and removes the rest of it: sh samples/container/install.sh EXTRAS
# Only for the Dockerfile: it deletes the package manager of the system that it runs on.
set -eu
extras=$1
java=
case ,$extras, in *,reports,*) java=openjdk-17-jre-headless ;; esac
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# shellcheck disable=SC2086 # no package, or one
apt-get install -y -qq --no-install-recommends python3 python3-venv binutils $java

python3 -m venv /opt/mqsc
/opt/mqsc/bin/pip install --no-cache-dir --no-compile -q -c constraints.txt ".[$extras]"
install -m 755 samples/container/entry.sh /opt/mqsc/
install -m 644 samples/container/dev.mqsc /opt/mqsc/
mkdir /etc/mqm
# The number is that of the Dockerfile.
install -d -o 10001 -g 10001 -m 700 /var/mqsc
echo 'mqsc:x:10001:10001::/var/mqsc:/bin/sh' >>/etc/passwd
echo 'mqsc:x:10001:' >>/etc/group
[ -z "$java" ] || /opt/mqsc/bin/python -m mqsc.reports.prepare

# SQLite has 10 MB of symbols. Programs that nobody runs again, and documentation, are half of what is left.
strip --strip-unneeded /opt/mqsc/lib/python3*/site-packages/pysqlite3/*.so
/opt/mqsc/bin/pip uninstall -q -y pip setuptools
# A root file system that cannot be written must hold the compiled modules.
/opt/mqsc/bin/python -m compileall -q /opt/mqsc/lib || true
apt-get purge -y -qq --auto-remove binutils python3-venv
cd /
rm -rf /source/* /var/lib/apt /var/cache/* /var/log/* /usr/share/doc /usr/share/man /usr/share/locale /usr/share/info \
    /usr/share/perl5 /usr/lib/*/perl-base /usr/bin/perl* /usr/lib/apt /usr/bin/apt* /usr/lib/*/libapt-pkg* \
    /var/lib/dpkg/info /usr/lib/python3/dist-packages /tmp/* /root/.cache
