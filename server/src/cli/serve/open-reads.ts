import type { Pool } from 'pg';
import type { Log } from '../../lib/log.ts';
import type { Metrics } from '../../net/http/metrics.ts';
import { createPool } from '../../storage/db/pool.ts';
import { ReplicaReads } from '../../storage/db/replica-reads.ts';
import type { Config } from '../../app/config.ts';

/** Whom to ask what may be seconds old: replicas, if there are any. */
export function openReads(
  { databaseReadUrl, databasePoolSize: size }: Pick<Config, 'databaseReadUrl' | 'databasePoolSize'>,
  { pool, metrics, log }: { pool: Pool; metrics: Metrics; log: Log },
  opened: AsyncDisposableStack,
): ReplicaReads | undefined {
  if (databaseReadUrl === undefined) return undefined;
  const replicas = createPool({
    databaseUrl: databaseReadUrl,
    size,
    applicationName: 'longwave serve, reads',
  });
  const reads = opened.use(new ReplicaReads({ primary: pool, replicas, log }));
  metrics.values(
    'database_reads_total',
    'Statements that a replica may answer, by who did',
    'counter',
    () => [
      { labels: { server: 'replica' }, value: reads.counts.replica },
      { labels: { server: 'primary' }, value: reads.counts.primary },
    ],
  );
  return reads;
}
