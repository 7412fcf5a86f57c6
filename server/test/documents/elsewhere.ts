/** Commands of documents that are not typed by typed-commands.test.ts, and where they are run instead, or why nowhere. */
export interface RunElsewhere {
  /** The document and the beginning of the command; several alike share an entry. */
  document: string | RegExp;
  command: string | RegExp;
  /** The file that runs it. */
  by?: string;
  /** Words that stand both in the command and in that file. */
  words?: readonly string[];
  /** For a file that reads its commands from the document: what it says to do so. */
  reads?: string;
  /** For a command that cannot be run here: why. */
  because?: string;
}

const PACKAGE = 'server/test/drills/install/package.test.ts';
const IMAGE = 'server/test/drills/install/image.test.ts';
const IMAGE_BACKUPS = 'server/test/drills/install/image-backups.ts';
const DEMO = 'server/test/end-to-end/demo.test.ts';
const ARCHIVE = 'server/test/database/archived-postgres.ts';
const ANY = /^/;

export const ELSEWHERE: readonly RunElsewhere[] = [
  {
    document: 'docs/import.md',
    command: 'longwave import places',
    by: 'server/test/database/made-databases.ts',
    reads: 'importPlaces(',
  },
  {
    document: 'docs/soundtouch.md',
    command: 'longwave speaker presets',
    by: 'server/test/clients/home-network/soundtouch.test.ts',
    words: ['speaker', 'presets', '--account', '--directory'],
  },
  {
    document: 'docs/soundtouch.md',
    command: 'curl http://192.168.1.31:8090/storePreset',
    by: 'server/src/cli/radios/speaker.ts',
    words: ['/storePreset', 'isPresetable="true"', 'type="stationurl"'],
  },
  {
    document: ANY,
    command: 'bash scripts/install-packages.sh',
    by: '.ci/run',
    words: ['bash scripts/install-packages.sh'],
  },
  // The same line begins the way of the Debian package.
  {
    document: ANY,
    command: 'export PATH="$(bash scripts/install-node.sh):$PATH"',
    by: '.ci/run',
    words: ['bash scripts/install-node.sh', 'export PATH='],
  },
  { document: ANY, command: 'npm ci', by: '.ci/run', words: ['npm ci'] },
  {
    document: 'CONTRIBUTING.md',
    command: 'npm run check && npm test',
    by: '.ci/run',
    words: ['npm run', 'check', 'test'],
  },
  { document: ANY, command: 'npm run services -- up', by: 'scripts/test.ts', words: ['services', 'up'] },
  { document: ANY, command: /^npm run build/, by: '.ci/run', words: ['npm run', 'build'] },
  { document: 'README.md', command: /^npm run demo -- --detach$/, by: DEMO, words: ['demo', '--detach'] },
  {
    document: 'README.md',
    command: 'npm run demo -- --detach --stations',
    by: DEMO,
    words: ['demo', '--detach', '--stations', '--podcasts'],
  },
  { document: 'README.md', command: 'npm run demo -- --stop', by: DEMO, words: ['demo', '--stop'] },
  {
    document: 'README.md',
    command: 'echo HTTP_PORT=80 >> .env',
    by: IMAGE,
    reads: 'readmeCommands(WAYS.containers)',
  },
  {
    document: /README|dns/,
    command: 'docker compose --profile dns up -d',
    by: IMAGE,
    words: ['docker compose --profile dns up -d'],
  },
  {
    document: 'README.md',
    command: 'node scripts/package/deb.ts --out dist',
    by: PACKAGE,
    reads: 'readmeCommands(WAYS.debian)',
  },
  {
    document: /README|install/,
    command: 'sudo apt install ./',
    by: PACKAGE,
    reads: 'readmeCommands(WAYS.debian)',
  },
  {
    document: /README|install/,
    command: 'sudo longwave setup',
    by: PACKAGE,
    reads: 'readmeCommands(WAYS.debian)',
  },
  {
    document: /README|dns/,
    command: 'sudo systemctl enable --now longwave-dns',
    by: PACKAGE,
    reads: 'readmeCommands(WAYS.debian)',
  },
  {
    document: 'docs/accounts.md',
    command: 'longwave device undo',
    by: 'server/test/commands/device-command.test.ts',
    words: ['device', 'undo', '--partner', '--serial'],
  },
  {
    document: 'docs/backup.md',
    command: /^longwave restore FILE.dump$/,
    by: 'server/test/drills/saved/restore.test.ts',
    words: ['restore'],
  },
  {
    document: 'docs/backup.md',
    command: /^(?:apt-get|cp|systemctl)/,
    because: 'the database of a fleet has a machine of its own, with systemd and pgBackRest',
  },
  {
    document: 'docs/backup.md',
    command: /^sudo -u postgres pgbackrest .*stanza-create/,
    by: ARCHIVE,
    words: ['pgbackrest', 'stanza-create'],
  },
  {
    document: 'docs/backup.md',
    command: /^sudo -u postgres pgbackrest .*check/,
    by: ARCHIVE,
    words: ['pgbackrest', 'check'],
  },
  {
    document: 'docs/backup.md',
    command: /^sudo -u postgres pgbackrest .*backup/,
    by: ARCHIVE,
    words: ['pgbackrest', '--type=full', 'backup'],
  },
  {
    document: 'docs/backup.md',
    command: /^sudo -u postgres pgbackrest .*restore/,
    by: ARCHIVE,
    words: ['pgbackrest', '--type=time', '--target', 'restore'],
  },
  {
    document: 'docs/backup.md',
    command: 'docker compose exec worker longwave backup',
    by: IMAGE_BACKUPS,
    words: ['docker compose exec', 'worker longwave backup'],
  },
  {
    document: 'docs/backup.md',
    command: 'docker compose exec worker longwave verify',
    by: IMAGE_BACKUPS,
    words: ['docker compose exec', 'worker longwave verify'],
  },
  {
    document: /backup|upgrading/,
    command: 'docker compose exec worker ls',
    by: IMAGE_BACKUPS,
    words: ['worker ls /var/lib/longwave/backups'],
  },
  {
    document: 'docs/backup.md',
    command: 'docker compose exec -T worker tar',
    by: IMAGE_BACKUPS,
    words: ['docker compose exec -T worker tar -c -C /var/lib/longwave backups | tar -x'],
  },
  {
    document: /backup|upgrading/,
    command: 'docker compose stop server worker',
    by: IMAGE_BACKUPS,
    words: ['docker compose stop server worker'],
  },
  {
    document: /backup|upgrading/,
    command: 'docker compose run --rm setup restore',
    by: IMAGE_BACKUPS,
    words: ['docker compose run --rm', 'setup restore', '--replace'],
  },
  {
    document: /backup|install|upgrading/,
    command: 'docker compose up -d',
    by: IMAGE,
    words: ['docker compose', 'up -d'],
  },
  {
    document: 'docs/upgrading.md',
    command: /^git (?:pull|checkout)/,
    because: 'it builds another version of the image; image.test.ts builds this one',
  },
  {
    document: 'docs/upgrading.md',
    command: 'docker compose logs setup',
    by: IMAGE_BACKUPS,
    words: ['docker compose logs setup'],
  },
  {
    document: 'docs/upgrading.md',
    command: 'docker compose run --rm setup setup --no-stations --without-backup',
    by: IMAGE_BACKUPS,
    words: ['docker compose run --rm', 'setup setup --no-stations --without-backup'],
  },
  {
    document: 'docs/upgrading.md',
    command: 'docker compose exec postgres dropdb',
    by: IMAGE_BACKUPS,
    words: ['postgres dropdb --username=longwave --force longwave'],
  },
  {
    document: 'docs/upgrading.md',
    command: 'docker compose exec postgres createdb',
    by: IMAGE_BACKUPS,
    words: ['postgres createdb --username=longwave longwave'],
  },
  {
    document: 'docs/upgrading.md',
    command: 'docker compose run --rm --entrypoint sh setup',
    by: IMAGE_BACKUPS,
    words: [
      '--entrypoint sh setup -c',
      'pg_restore --no-owner --exit-on-error',
      '--dbname="$(cat $DATABASE_URL_FILE)"',
    ],
  },
  {
    document: 'docs/dns.md',
    command: /^(?:pihole-FTL|uci|service)/,
    because: 'of Pi-hole and OpenWrt, which Debian does not have; recipes.test.ts reads the names in them',
  },
  {
    document: 'docs/upnp.md',
    command: 'UPNP=on longwave upnp',
    by: 'server/test/clients/home-network/upnp.test.ts',
    words: ['upnp', 'UPNP'],
  },
  {
    document: 'docs/install.md',
    command: 'docker compose run --rm --entrypoint cat server',
    because: 'it prints a secret of running containers; image.test.ts reads the same file of the same volume',
  },
  {
    document: 'docs/install.md',
    command: 'docker build -t longwave .',
    by: 'scripts/package/image/build-image.ts',
    words: ['build'],
  },
  {
    document: 'docs/install.md',
    command: 'docker run --read-only --tmpfs',
    by: 'server/test/drills/install/image-settings.ts',
    words: ['--read-only', 'DATABASE_URL_FILE', 'MEMBER_KEY_FILE'],
  },
  {
    document: 'docs/install.md',
    command: 'sudo -u postgres psql -c',
    because: 'it changes the PostgreSQL of the whole machine',
  },
  {
    document: 'docs/install.md',
    command: /^node scripts\/package\/deb.ts --out dist$/,
    by: PACKAGE,
    words: ['--out dist'],
  },
  {
    document: 'docs/install.md',
    command: /^node scripts\/package\/deb.ts --out dist --arch arm64$/,
    because: 'a package of 80 MB for another processor; image-arm64.test.ts writes the same tree for it',
  },
  {
    document: 'docs/install.md',
    command: /^node scripts\/package\/deb.ts --out dist --with-address-database$/,
    because: 'a package with 130 MB of cities; the image without them is looked through by image.test.ts',
  },
  {
    document: 'docs/install.md',
    command: 'helm install radio',
    because: 'there is no cluster, and Debian has no Helm; helm.test.ts renders the chart',
  },
  {
    document: 'docs/install.md',
    command: 'kubectl exec deploy/radio-worker',
    because: 'there is no cluster; the commands behind it are those of docs/import.md',
  },
  {
    document: 'docs/operations.md',
    command: 'CLUSTER_FAULTS=20',
    by: 'server/test/drills/saved/postgres-cluster.test.ts',
    words: [
      'CLUSTER_FAULTS=20 CLUSTER_SAVES=300 CLUSTER_MENUS=3000 node scripts/test.ts server/test/drills/saved/postgres-cluster.test.ts',
    ],
  },
  {
    document: 'docs/operations.md',
    command: 'REDIS_FAULTS=20 node scripts/test.ts',
    by: 'server/test/drills/away/redis-faults.test.ts',
    words: ['REDIS_FAULTS=20 node scripts/test.ts server/test/drills/away/redis-faults.test.ts'],
  },
  {
    document: 'docs/install.md',
    command: 'node scripts/test.ts server/test/drills',
    by: '.ci/run',
    words: ['node scripts/test.ts'],
  },
  {
    document: 'docs/operations.md',
    command: 'apt-get install prometheus',
    by: 'scripts/install-packages.sh',
    words: ['apt-get', 'prometheus', 'prometheus-alertmanager'],
  },
  {
    document: 'docs/operations.md',
    command: 'systemctl restart prometheus',
    because: 'it restarts services of the machine, with files that promtool and amtool have accepted by then',
  },
  {
    document: 'docs/operations.md',
    command: 'apt-get install nginx',
    by: 'scripts/install-packages.sh',
    words: ['apt-get', 'nginx', 'libnginx-mod-http-lua', 'lua-zlib'],
  },
  {
    document: 'docs/operations.md',
    command: /^(?:install|rm) .*\/etc\/nginx/,
    because: 'they write to /etc; test/servers/edge-nginx.ts starts nginx with the same files',
  },
  {
    document: 'docs/quality.md',
    command: 'npm run quality',
    because:
      'each loads all real stations; local-radio.test.ts and search-quality measure the same in the gate',
  },
  {
    document: 'docs/scale.md',
    command: 'npm run bench -- plan',
    because:
      'it imports every real station and measures for minutes; bench/plan/fleet.test.ts holds what it reckons',
  },
  {
    document: 'docs/scale-shows.md',
    command: 'npm run bench -- scale',
    by: 'server/bench/scale/scale.test.ts',
    words: ['--name', '--remove'],
  },
  {
    document: 'docs/scale.md',
    command: 'longwave migrate --distributed',
    by: 'server/test/drills/saved/distributed-members.test.ts',
    words: ['migrate', '--distributed'],
  },
  {
    document: 'docs/scale.md',
    command: 'SELECT citus_set_coordinator_host(',
    by: 'server/test/distributed/citus-cluster.ts',
    words: ['citus_set_coordinator_host'],
  },
  {
    document: 'docs/scale.md',
    command: 'SELECT citus_add_node(',
    by: 'server/test/distributed/citus-cluster.ts',
    words: ['citus_add_node'],
  },
  {
    document: 'docs/schedules.md',
    command: 'longwave import schedule https://radio.example',
    because:
      'only addresses of the public internet are read; read-address.test.ts reads one of a network of its own',
  },
];
