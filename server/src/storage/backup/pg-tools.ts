import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClientBase } from 'pg';

/** PostgreSQL's own programs, of a version that can read the server. */
export interface PgTools {
  pg_dump: string;
  pg_restore: string;
  psql: string;
}

const NAMES = ['pg_dump', 'pg_restore', 'psql'] as const;
/** Where Debian keeps the programs of each version; its `/usr/bin/pg_dump` is a script that guesses one. */
const FOLDERS = '/usr/lib/postgresql/*/bin';

/** The oldest programs here that are as new as the server: a dump of an older pg_dump would lack what the server added. */
export async function findPgTools(server: ClientBase): Promise<PgTools> {
  const { rows } = await server.query<{ version: string }>(
    "SELECT current_setting('server_version_num') AS version",
  );
  const wanted = Math.floor(Number(rows[0]?.version) / 10_000);
  const found = await Promise.all([...globSync(FOLDERS), ''].map(versionIn));
  const fit = found
    .filter(({ version }) => version >= wanted)
    .toSorted((a, b) => a.version - b.version)
    .at(0);
  if (fit) {
    const [pg_dump, pg_restore, psql] = NAMES.map((name) => join(fit.folder, name));
    if (pg_dump && pg_restore && psql) return { pg_dump, pg_restore, psql };
  }
  const there = found.map(({ version }) => version).filter((version) => version > 0);
  throw new Error(
    `the server is PostgreSQL ${wanted}, and its pg_dump is not installed here${there.length > 0 ? ` (only that of ${there.join(', ')})` : ''}; ` +
      `on Debian: apt-get install postgresql-client-${wanted}`,
  );
}

/** An empty folder stands for the search path; 0 where there is none. */
async function versionIn(folder: string): Promise<{ folder: string; version: number }> {
  try {
    const { stdout } = await promisify(execFile)(join(folder, 'pg_dump'), ['--version']);
    return { folder, version: Number(/\) (\d+)/.exec(stdout)?.[1] ?? 0) };
  } catch {
    return { folder, version: 0 };
  }
}

interface Connection {
  dbname: string;
  forget(): void;
}

/** How to reach a database without its password in the list of processes: by a file that nobody else can read. */
function connectionOf(databaseUrl: string): Connection {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get('password') ?? decodeURIComponent(url.password);
  url.password = '';
  url.searchParams.delete('password');
  url.searchParams.set('application_name', 'longwave backup');
  url.searchParams.set('connect_timeout', '20');
  const folder = mkdtempSync(join(tmpdir(), 'longwave-'));
  const file = join(folder, 'pgpass');
  writeFileSync(file, `*:*:*:*:${password.replaceAll(/[:\\]/g, String.raw`\$&`)}\n`, { mode: 0o600 });
  if (password !== '') url.searchParams.set('passfile', file);
  // libpq reads a plus sign as itself.
  return {
    dbname: url.href.replaceAll('+', '%20'),
    forget: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const MAX_COMPLAINT = 2000;

export interface RunningTool {
  process: ChildProcess;
  /** Resolves when it has ended well, else throws what it complained of. */
  done: Promise<void>;
}

/** Starts one of the programs on a database, or on none; ends it when the signal aborts. */
export function startTool(
  program: string,
  args: readonly string[],
  { databaseUrl, signal }: { databaseUrl?: string; signal?: AbortSignal | undefined },
): RunningTool {
  const connection = databaseUrl === undefined ? undefined : connectionOf(databaseUrl);
  const all = [...args, ...(connection ? [`--dbname=${connection.dbname}`] : [])];
  const child = spawn(program, all, { signal, stdio: ['pipe', 'pipe', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-MAX_COMPLAINT);
  });
  const end = async (): Promise<void> => {
    const [code] = await once(child, 'close').finally(() => connection?.forget());
    if (code !== 0) throw new Error(`${program} failed (${code}): ${complaint.trim()}`);
  };
  const done = end();
  // Whoever reads its output may fail first; both are waited for in the end.
  done.catch(() => undefined);
  return { process: child, done };
}
