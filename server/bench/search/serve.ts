import { openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { createLog } from '../../src/lib/log.ts';
import { search } from '../../src/protocols/radiotime/search/search.ts';
import { createPool } from '../../src/storage/db/pool.ts';
import { startServer } from '../../test/apps/http-server.ts';

/** The service under test: started by the benchmark, and ended by its exit. */
const [, , databaseUrl = ''] = process.argv;
const log = createLog({ level: 'silent' });
const pool = createPool({ databaseUrl, size: 1, applicationName: 'longwave bench' });
const directory = await openDirectory({ pool, databaseUrl, log });
const server = await startServer([search({ directory, db: pool, aliases: new Aliases(pool) })], { log });

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ micros: user + system });
});
process.once('disconnect', () => void stop());
const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
process.send?.({ port: server.listeners.httpPort, databasePid: rows[0]?.pid });

async function stop(): Promise<void> {
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
  await pool.end();
}
