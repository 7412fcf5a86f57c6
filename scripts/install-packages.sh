#!/usr/bin/env bash
# install-packages.sh [tests]: the Debian packages that a directory or the demo needs, PostgreSQL and Redis; with `tests`
# also what the tests run against. Asks apt only for what is missing.
set -euo pipefail
wanted=(postgresql-15 redis-server openssl ca-certificates)
[ "${1:-}" = tests ] && wanted+=(
  libxml2-utils wrk
  # Third-party radio programs that server/test/clients drives, and the stream server they listen to.
  mopidy mopidy-tunein gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-ugly
  node-tunein streamtuner2 gir1.2-gtk-3.0 gir1.2-atk-1.0
  mpd mpc mpv vlc-bin vlc-plugin-base clementine kodi kodi-pvr-iptvsimple xvfb dbus-daemon gupnp-tools
  # The form of programme guides, to check ours by.
  xmltv-util
  # The library of gPodder, and a player that speaks Subsonic.
  python3-mygpoclient strawberry
  # Programs that ask name servers, and resolvers that are told our names.
  bind9-dnsutils bind9-host dnsmasq-base unbound
  icecast2 ezstream streamripper ffmpeg curl iproute2 iptables util-linux chromium chromium-headless-shell
  # What builds and checks the Debian package, and the proxies that the examples in deploy/proxy are for.
  lintian mmdebstrap binutils-aarch64-linux-gnu systemd nginx-light caddy haproxy
  # Alert rules and the dashboard are checked by the programs that run them (server/test/operations).
  prometheus prometheus-alertmanager
  # What builds and runs the image (scripts/package/image), and reads compose.yaml.
  buildah podman runc mmdebstrap qemu-user-static binfmt-support arch-test python3-yaml
  # And what compose.yaml is started with.
  docker-compose netavark iptables aardvark-dns catatonit
  # A cluster of PostgreSQL servers, and what points writers at its primary (server/test/cluster).
  patroni etcd-server python3-etcd haproxy
  # In front of servers that are restarted one after another, and as the edge (deploy/edge).
  nginx libnginx-mod-http-lua lua-zlib
  lintian mmdebstrap binutils-aarch64-linux-gnu systemd systemd-container nginx-light caddy
)
missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -q '^installed$' || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo 'all present'
  exit 0
fi
echo "installing ${missing[*]}"
sudo=''
[ "$(id -u)" -eq 0 ] || sudo=sudo
# The packages would start servers of their own; this checkout starts private ones instead.
$sudo mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] ||
  echo 'create_main_cluster = false' | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
if [ ! -e /usr/sbin/policy-rc.d ]; then
  trap '$sudo rm -f /usr/sbin/policy-rc.d' EXIT
  printf '#!/bin/sh\nexit 101\n' | $sudo tee /usr/sbin/policy-rc.d >/dev/null
  $sudo chmod 755 /usr/sbin/policy-rc.d
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
