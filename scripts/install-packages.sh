#!/usr/bin/env bash
# Debian packages for development and the gate; asks apt only for what is missing.
set -euo pipefail
missing=()
for package in postgresql-15 redis-server libxml2-utils openssl ca-certificates wrk; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo 'all present'
  exit 0
fi
echo "installing ${missing[*]}"
sudo=''
[ "$(id -u)" -eq 0 ] || sudo=sudo
# The packages would start servers of their own; this checkout starts private ones, so theirs are left alone.
$sudo mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] ||
  echo 'create_main_cluster = false' | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
