#!/bin/bash
# Starts PostgreSQL, the server and the worker, fills an empty directory, and ends when one of them does. Everything that
# must last is in /data, which Home Assistant backs up.
set -euo pipefail
data=${LONGWAVE_DATA:-/data}
postgres=/usr/lib/postgresql/15/bin
run=/run/longwave

option() {
  # shellcheck disable=SC2016 # the dollar signs are JavaScript's
  /opt/longwave/node/bin/node -p 'JSON.parse(fs.readFileSync(process.argv[1], "utf8"))[process.argv[2]] ?? ""' "$data/options.json" "$1"
}

as() {
  setpriv --reuid="$1" --regid="$1" --init-groups "${@:2}"
}

install -d -o postgres -g postgres -m 0755 "$run"
if [ ! -s "$data/postgresql/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 0700 "$data/postgresql"
  as postgres "$postgres/initdb" --pgdata "$data/postgresql" --auth peer --encoding UTF8 --locale C.UTF-8 >/dev/null
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
export MEMBER_KEY HOME_PLACE LOG_LEVEL
MEMBER_KEY=$(cat "$data/member-key")
HOME_PLACE=$(option home_place)
LOG_LEVEL=$(option log_level)
export DATABASE_URL="postgres:///longwave?host=$run&user=longwave"
export HTTP_PORT=${HTTP_PORT:-80}
# A house needs no more, and the machine has other work: by itself the server takes every core, with half a gigabyte for each.
export SERVE_PROCESSES=${SERVE_PROCESSES:-1}
# Also 80, without root: the port is the container's own.
listen=(setpriv --reuid=longwave --regid=longwave --init-groups --inh-caps=+net_bind_service --ambient-caps=+net_bind_service)

has() { as longwave psql --host "$run" --dbname longwave --quiet --tuples-only --no-align --command "SELECT 1 FROM $1 LIMIT 1"; }

as longwave longwave migrate
# First, because the server looks up where the house is when it starts.
[ -n "$(has cities)" ] || as longwave longwave import places
"${listen[@]}" longwave serve &
stations=$(option stations)
if [ -n "$stations" ] && [ -z "$(has stations)" ]; then
  as longwave longwave import stations "$stations" || echo 'the stations could not be imported; the next start tries again' >&2
fi
as longwave longwave work &
wait -n
