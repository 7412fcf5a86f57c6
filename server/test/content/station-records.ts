import type { Pool } from 'pg';
import type { SourceItem } from '../../src/import/pipeline/import-stations.ts';
import type { StationRecord } from '../../src/import/pipeline/record.ts';

export type Said = Partial<StationRecord> & { record: string };

/** A record of a station of its own, unless it says otherwise. */
export const stationRecord = ({ record, ...more }: Said): StationRecord => ({
  source: 'test',
  record,
  name: `Harbour ${record}`,
  address: `http://stream.radio-haven.net/${record}`,
  countryCode: 'IE',
  languages: ['en'],
  tags: ['folk'],
  bitrateKbps: 128,
  hls: false,
  votes: 1,
  clicks: 0,
  ...more,
});

/** As a source yields them; with `brokenOff` it ends in an error, as a truncated file does. */
export async function* sourceItems(
  records: readonly Said[],
  { brokenOff = false } = {},
): AsyncGenerator<SourceItem> {
  for (const record of records) yield { record: stationRecord(record) };
  if (brokenOff) throw new Error('the file ends in the middle');
}

/** One country: enough to import into, in a tenth of the time that the world's places take to load. */
export const addSmallWorld = (pool: Pool): Promise<unknown> =>
  pool.query(`
    INSERT INTO regions (id, kind, code, name) VALUES (0, 'root', 'root', 'World');
    INSERT INTO regions (id, parent_id, kind, code, name) VALUES (1, 0, 'country', 'country:IE', 'Ireland');
    INSERT INTO countries (code, name, region_id) VALUES ('IE', 'Ireland', 1)`);
