import type { Pool } from 'pg';
import type { SourceItem } from '../import/pipeline/import-stations.ts';
import { refreshClaimed, type RefreshDeps, type RefreshedSource } from '../import/refresh/refresh-source.ts';
import { readCsvStations, readM3uStations, readOpmlStations } from '../import/sources/lists/read-lists.ts';
import { readRadioBrowser } from '../import/sources/radio-browser/record.ts';
import {
  claimSource,
  type ClaimedSource,
  putBackSource,
} from '../storage/catalog/stations/station-sources.ts';
import type { DueJob } from '../workers/runner/due-job.ts';
import {
  type ConfiguredSource,
  isUrl,
  LIST_KINDS,
  type ListKind,
  recordSourceOf,
} from './settings/source-settings.ts';

export type StationReader = (bytes: AsyncIterable<Uint8Array>, source: string) => AsyncGenerator<SourceItem>;

const READERS: Readonly<Record<ListKind, StationReader>> = {
  stations: readStations,
  m3u: readM3uStations,
  pls: readM3uStations,
  opml: readOpmlStations,
  csv: readCsvStations,
};

async function* readStations(bytes: AsyncIterable<Uint8Array>, source: string): AsyncGenerator<SourceItem> {
  for await (const item of readRadioBrowser(bytes))
    yield 'record' in item ? { record: { ...item.record, source } } : item;
}

/** Undefined for a kind that there is not. */
export function findReader(kind: string): StationReader | undefined {
  const known = LIST_KINDS.find((each) => each === kind);
  return known && READERS[known];
}

export const refreshedSource = ({ name, kind, address }: ConfiguredSource): RefreshedSource => {
  const source = recordSourceOf(kind, name);
  return { source, address, isUrl: isUrl(address), read: (bytes) => READERS[kind](bytes, source) };
};

/** Imports each source once a day; one worker of the fleet at a time. */
export function sourceJob(
  deps: RefreshDeps & { claimPool: Pool },
  configured: readonly ConfiguredSource[],
): DueJob<ClaimedSource> {
  const sources = new Map(configured.map(refreshedSource).map((each) => [each.source, each]));
  return {
    name: 'sources',
    concurrency: 1,
    idOf: ({ name }) => name,
    async claim() {
      const claimed = await claimSource(deps.claimPool, [...sources.keys()]);
      return claimed ? [claimed] : [];
    },
    async work(claimed, { stopping }) {
      const source = sources.get(claimed.name);
      if (!source) return 'unknown';
      try {
        const { what } = await refreshClaimed(deps, claimed, source, { signal: stopping });
        return what;
      } catch (error) {
        if (stopping.aborted) await putBackSource(deps.claimPool, claimed);
        throw error;
      }
    },
  };
}
