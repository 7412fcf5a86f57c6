import type { Pool } from 'pg';
import { importStations } from '../../pipeline/import-stations.ts';
import { readSuggested, SUGGESTED_SOURCE } from './read-suggested.ts';
import type { Log } from '../../../lib/log.ts';
import {
  listAcceptedSuggestions,
  markSuggestionsListed,
} from '../../../storage/catalog/streams/suggestions.ts';

interface ImportSuggestedDeps {
  /** With time for the statements of an import. */
  pool: Pool;
  log: Pick<Log, 'info'>;
}

/** Suggestions are forgotten after a month and their stations stay, so that no record counts as gone. */
const NEVER_GONE = { withdrawAfterDays: 36_500, acceptDrop: true };

/** Lists what operators accepted; gives how many there were. */
export async function importSuggested({ pool, log }: ImportSuggestedDeps): Promise<number> {
  const accepted = await listAcceptedSuggestions(pool);
  if (accepted.length === 0) return 0;
  const { added, merged } = await importStations({
    pool,
    source: SUGGESTED_SOURCE,
    items: readSuggested(accepted),
    absence: NEVER_GONE,
  });
  await markSuggestionsListed(
    pool,
    accepted.map(({ address_key: key }) => key),
  );
  log.info({ added, merged }, 'imported the stations that listeners suggested');
  return accepted.length;
}
