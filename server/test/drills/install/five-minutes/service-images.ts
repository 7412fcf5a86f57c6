import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Containers } from '../../../../../scripts/package/image/containers.ts';
import { CHECKOUT } from '../../../../../scripts/package/tree/checkout.ts';
import { ensureBase } from '../../../servers/debian-machine.ts';

/**
 * Under the names that compose.yaml gives them, images of PostgreSQL and Redis that are made of Debian's packages, since no
 * registry is asked. Of PostgreSQL's image they know the variables that compose.yaml sets.
 */
export function buildServiceImages(containers: Containers, base: string): void {
  const compose = readFileSync(join(CHECKOUT, 'compose.yaml'), 'utf8');
  const names = [...compose.matchAll(/^ +image: (?<name>docker\.io\/\S+)$/gmu)].map(
    ({ groups }) => groups?.['name'] ?? '',
  );
  const folder = containers.folder('services');
  writeFileSync(join(folder, 'entrypoint'), ENTRYPOINT, { mode: 0o755 });
  writeFileSync(join(folder, 'Dockerfile'), DOCKERFILE.replace('BASE', base));
  containers.buildah(
    'build',
    '--quiet',
    '--format=docker',
    '--isolation=chroot',
    `--volume=${join(ensureBase(), 'var/cache/apt/archives')}:/archives:ro`,
    ...names.map((name) => `--tag=${name}`),
    folder,
  );
}

/** LLVM is a third of PostgreSQL, for what compose.yaml turns off. */
const DOCKERFILE = `FROM BASE
RUN set -e; for file in /archives/*.deb; do \\
      name=\${file##*/}; name=\${name%%_*}; \\
      case $name in libllvm*|libz3*) continue ;; esac; \\
      set -- /var/lib/dpkg/info/$name.list /var/lib/dpkg/info/$name:*.list; \\
      if [ -e "$1" ] || [ -e "$2" ]; then continue; fi; \\
      dpkg-deb --fsys-tarfile $file | tar -x -C / --keep-directory-symlink; \\
    done; useradd --system postgres; useradd --system redis
ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENV PGDATA=/var/lib/postgresql/data
COPY entrypoint /
ENTRYPOINT ["/entrypoint"]
`;

const ENTRYPOINT = `#!/bin/sh
set -e
as() { user=$1; shift; setpriv --reuid $user --regid $user --clear-groups "$@"; }
if [ "$1" = redis-server ]; then
  exec setpriv --reuid redis --regid redis --clear-groups "$@" --protected-mode no
fi
install -d -o postgres -g postgres -m 700 /run/postgresql "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -o postgres -m 600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  as postgres initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 $POSTGRES_INITDB_ARGS
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >> "$PGDATA/postgresql.conf"
  as postgres pg_ctl -o '-c listen_addresses=' -w start
  as postgres createdb -U "$POSTGRES_USER" "$POSTGRES_DB"
  as postgres pg_ctl -m fast -w stop
fi
exec setpriv --reuid postgres --regid postgres --clear-groups "$@"
`;
