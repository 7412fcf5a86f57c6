import type { Pool } from 'pg';
import { type AbsenceRules, importStations } from '../import/pipeline/import-stations.ts';
import type { ImportSummary } from '../import/pipeline/import-summary.ts';
import { ANNOUNCED_SOURCE } from '../import/pipeline/record.ts';
import { readAnnounced } from '../import/sources/yp/read-announced.ts';
import type { Log } from '../lib/log.ts';
import {
  hasAnnouncedRecords,
  hasUnlisted,
  listListable,
  markImported,
  purgeAnnounced,
} from '../storage/catalog/streams/announced-streams.ts';
import type { TimedJob } from '../workers/runner/timed.ts';

export interface AnnouncedStationsDeps {
  /** With time for the statements of an import. */
  pool: Pool;
  log: Log;
  absence: Pick<AbsenceRules, 'withdrawAfterDays'>;
}

/** Lists what was announced and heard, a few minutes later; once a day also notes what is announced no more. */
export const announcedStationsJobs = (deps: AnnouncedStationsDeps): TimedJob[] => [
  {
    name: 'list-announced',
    at: '*/10 * * * *',
    async work() {
      await purgeAnnounced(deps.pool);
      if (!(await hasUnlisted(deps.pool))) return 'nothing';
      await importAnnounced(deps);
      return 'listed';
    },
  },
  {
    name: 'forget-announced',
    at: '43 4 * * *',
    async work() {
      // An import of nothing looks through all stations too.
      if (!(await hasAnnouncedRecords(deps.pool, ANNOUNCED_SOURCE))) return 'nothing';
      await importAnnounced(deps);
      return 'done';
    },
  },
];

/** A server that is switched off takes its streams with it, so that many are missing at once is no sign of a mistake. */
export async function importAnnounced({ pool, log, absence }: AnnouncedStationsDeps): Promise<ImportSummary> {
  const streams = await listListable(pool);
  const summary = await importStations({
    pool,
    source: ANNOUNCED_SOURCE,
    items: readAnnounced(streams),
    absence: { ...absence, acceptDrop: true },
  });
  await markImported(
    pool,
    streams.map(({ address_key: key }) => key),
  );
  const { added, merged, changed, absent, withdrawn } = summary;
  if (added + merged + changed + withdrawn > 0)
    log.info({ added, merged, changed, absent, withdrawn }, 'imported the stations that servers announced');
  return summary;
}
