#!/bin/bash
# Starts PostgreSQL, makes the directory ready, then starts the server and the worker, which imports the stations, and ends when one
# of them does. Everything that must last is in /data, which Home Assistant backs up.
set -euo pipefail
data=${LONGWAVE_DATA:-/data}
postgres=/usr/lib/postgresql/15/bin
run=/run/longwave
world=https://backups.radio-browser.info/radiobrowser_stations_latest.json.gz

option() {
  # shellcheck disable=SC2016 # the dollar signs are JavaScript's
  /opt/longwave/node/bin/node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8"))[process.argv[2]] ?? ""' "$data/options.json" "$1"
}

as() {
  setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"
}

install -d -o postgres -g postgres -m 0755 "$run"
if [ ! -s "$data/postgresql/PG_VERSION" ]; then
  # It gets its name when it is whole: what was cut off begins anew.
  rm -rf "$data/postgresql.new"
  install -d -o postgres -g postgres -m 0700 "$data/postgresql.new"
  as postgres "$postgres/initdb" --pgdata "$data/postgresql.new" --auth peer --encoding UTF8 --locale C.UTF-8 >/dev/null
  mv -T "$data/postgresql.new" "$data/postgresql"
fi
as postgres "$postgres/pg_ctl" start --wait --silent --pgdata "$data/postgresql" --log "$run/postgres.log" \
  --options "-c listen_addresses='' -c unix_socket_directories=$run -c jit=off"
# Whatever ends, the database is closed properly.
trap 'kill $(jobs -p) 2>/dev/null || true; wait || true; as postgres "$postgres/pg_ctl" stop --mode fast --silent --pgdata "$data/postgresql"' EXIT
trap 'exit 0' TERM INT

ask() { as postgres psql --host "$run" --dbname postgres --quiet --tuples-only --no-align --command "$1"; }
[ -n "$(ask "SELECT 1 FROM pg_roles WHERE rolname = 'longwave'")" ] || ask 'CREATE ROLE longwave LOGIN'
[ -n "$(ask "SELECT 1 FROM pg_database WHERE datname = 'longwave'")" ] || ask 'CREATE DATABASE longwave OWNER longwave'

# Made once: with another key no password and no serial would be recognised.
if [ ! -s "$data/member-key" ]; then
  (umask 077 && longwave config key >"$data/member-key.new" && mv "$data/member-key.new" "$data/member-key")
fi
export MEMBER_KEY HOME_PLACE LOG_LEVEL TRUSTED_PROXIES STATION_SOURCES
MEMBER_KEY=$(cat "$data/member-key")
HOME_PLACE=$(option home_place)
LOG_LEVEL=$(option log_level)
TRUSTED_PROXIES=$(option trusted_proxies)
# The worker reads them now, again every day, and again soon where that was interrupted or failed.
STATION_SOURCES=$(option stations)
case $STATION_SOURCES in
  # A server, as the option had it first, stands for all that it would have told.
  http*://*.api.radio-browser.info | http*://*.api.radio-browser.info/) STATION_SOURCES=$world ;;
esac
[ -z "$STATION_SOURCES" ] || STATION_SOURCES=radio-browser=$STATION_SOURCES
export DATABASE_URL="postgres:///longwave?host=$run&user=longwave"
export HTTP_PORT=${HTTP_PORT:-80}
# A house needs no more, and the machine has other work: by itself the server takes every core, with half a gigabyte for each.
export SERVE_PROCESSES=${SERVE_PROCESSES:-1}
# Not a function, which the shell would stand in front of: what is told to end is the program itself.
own=(setpriv --reuid=longwave --regid=longwave --init-groups)
# Also 80, without root: the port is the container's own.
listen=("${own[@]}" --inh-caps=+net_bind_service --ambient-caps=+net_bind_service)

# The schema, places and home, first, because the server looks up where the house is when it starts. What was cut off last time is done
# now. In the background, since a shell notices a signal while it waits, and not while a program runs.
"${own[@]}" longwave setup --no-stations &
wait $! || echo 'the setup did not end well, see above; the next start tries again' >&2
"${listen[@]}" longwave serve &
"${own[@]}" longwave work &
wait -n
