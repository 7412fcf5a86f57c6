import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Config } from '../../app/config.ts';
import { statement } from '../../storage/db/statement.ts';
import { type Check, type CheckContext, type Finding, orUnknown, warning, well } from './check.ts';
import { formatBytes, formatCount, formatSeconds, secondsBetween } from './format.ts';

/** What the operating system gives a server: the time, room for connections, memory, and files that nobody else reads. */
export const machineCheck: Check = {
  title: 'Machine',
  look: async (context) => [
    await orUnknown('clock', clockLine(context)),
    filesLine(context),
    memoryLine(context),
    await scratchLine(context),
    ...secretFiles(context.config),
  ],
};

const SET_CLOCK = 'set the clock: timedatectl set-ntp true, or check that its time server is reached';
/** Statements and a slow network take some of it. */
const SKEW_SECONDS = 30;
const DAY_SECONDS = 86_400;

/** Offline there is no other clock to ask than PostgreSQL's, and what was written at times that have passed. */
async function clockLine({ clock, machine, pool }: CheckContext): Promise<Finding> {
  const now = clock.now();
  const day = now.toString().slice(0, 10);
  if (secondsBetween(now, machine.installedAt()) > DAY_SECONDS)
    return warning('clock', `it says ${day}, before this version was installed`, SET_CLOCK);
  const [row] = await databaseClock.run(pool, []);
  if (!row) throw new Error('PostgreSQL did not report its time');
  const skew = Math.abs(secondsBetween(row.now, now));
  if (skew > SKEW_SECONDS)
    return warning(
      'clock',
      `it differs from PostgreSQL's by ${formatSeconds(skew)}`,
      `${SET_CLOCK}, on both machines`,
    );
  const ahead = row.newest === null ? 0 : secondsBetween(now, row.newest);
  if (ahead > SKEW_SECONDS)
    return warning(
      'clock',
      `it is ${formatSeconds(ahead)} behind what the database was written at`,
      SET_CLOCK,
    );
  return well('clock', `${day}, as PostgreSQL says`);
}

const databaseClock = statement(
  'doctor-clock',
  { now: 'timestamptz', newest: 'timestamptz?' },
  `SELECT clock_timestamp() AS now, greatest((SELECT max(started_at) FROM import_runs),
     (SELECT max(seen_at) FROM radios)) AS newest`,
);

/** The database, Redis, files, and a few calls outside. */
const OTHER_FILES = 200;

function filesLine({ machine, config: { maxConnections, databasePoolSize } }: CheckContext): Finding {
  const limit = machine.openFiles();
  const needed = maxConnections + databasePoolSize + OTHER_FILES;
  if (limit === undefined || limit >= needed)
    return well('open files', limit === undefined ? 'no limit is visible' : `up to ${formatCount(limit)}`);
  return warning(
    'open files',
    `a process may have ${formatCount(limit)}, and MAX_CONNECTIONS is ${formatCount(maxConnections)}`,
    `raise it to ${needed} (systemd: LimitNOFILE=${needed}; a shell: ulimit -n ${needed}), or lower MAX_CONNECTIONS`,
  );
}

/** The directory of the whole world in memory, twice while it is swapped, and the caches. */
const LITTLE_BYTES = 512 * 2 ** 20;

function memoryLine({ machine }: CheckContext): Finding {
  const bytes = machine.memoryBytes();
  const text = `${formatBytes(bytes)} for this process`;
  return bytes >= LITTLE_BYTES
    ? well('memory', text)
    : warning(
        'memory',
        `${text}, in which a directory of the world hardly fits`,
        'raise the limit to 1 GB (systemd: MemoryMax, Docker: --memory), or import fewer stations and lower MENU_CACHE_MB and LOGO_CACHE_MB',
      );
}

/** A list of stations is fetched into a file first. */
const LITTLE_ROOM = 1e9;

async function scratchLine({ machine }: CheckContext): Promise<Finding> {
  const folder = tmpdir();
  const free = await machine.freeBytes(folder);
  if (free === undefined)
    return warning(
      'disk',
      `${folder} cannot be used for files`,
      `create ${folder}, or set TMPDIR to a folder`,
    );
  const text = `${formatBytes(free)} free in ${folder}`;
  return free >= LITTLE_ROOM
    ? well('disk', text)
    : warning(
        'disk',
        text,
        `free some space there, or set TMPDIR: imports need up to ${formatBytes(LITTLE_ROOM)}`,
      );
}

const OTHERS_MAY = 0o007;

/** A key that everybody on the machine can read is none. One that is missing is told of with the certificate. */
function secretFiles({ tlsKeyFile: file }: Config): Finding[] {
  if (file === undefined) return [];
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & OTHERS_MAY) === 0
    ? []
    : [
        warning(
          'key file',
          `${file} can be read by every user of this machine (mode ${(mode & 0o777).toString(8)})`,
          `chmod 640 ${file}, and chown it to the user that runs longwave serve`,
        ),
      ];
}
