import { guideId } from '../../lib/guide-id.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { statement } from '../../storage/db/statement.ts';
import { loadStations } from './batch.ts';
import { foldRecord, foundStation, type StationDraft } from './drafts.ts';
import type { Notice } from './import-summary.ts';
import { resolveAgain, type ResolvePlace } from './rederive.ts';

const PAGE = 500;

const pinnedAfter = statement(
  'intake-pinned-after',
  { id: 'int8', pinned: 'text[]' },
  `SELECT id, pinned FROM stations WHERE pinned <> '{}' AND pinned <> '{listed}' AND id > $1 ORDER BY id LIMIT ${PAGE}`,
);

const factsOfSource = statement(
  'intake-facts-of-source',
  { record: 'text', station_id: 'int8', facts: 'text?', doubtful: 'bool' },
  `SELECT record, station_id, facts::text, doubtful FROM station_records
   WHERE station_id = ANY ($1::bigint[]) AND source = $2 ORDER BY ordinal`,
);

/** A field that an operator set and a source says otherwise. */
type Disagreement = Extract<Notice, { what: 'kept' }>;

/** By column, how a draft says it; undefined where it says nothing. */
const SAID: Readonly<Record<string, (draft: StationDraft) => string | undefined>> = {
  name: ({ name }) => name,
  call_sign: ({ callSign }) => callSign ?? undefined,
  frequency: ({ frequency }) => frequency ?? undefined,
  band: ({ band }) => band ?? undefined,
  homepage: ({ homepage }) => homepage ?? undefined,
  country_id: ({ countryId }) => countryId?.toString(),
  region_id: ({ regionId }) => regionId?.toString(),
  latitude: ({ coordinate }) => coordinate?.latitude.toString(),
  longitude: ({ coordinate }) => coordinate?.longitude.toString(),
  zone: ({ zone }) => zone ?? undefined,
  genres: ({ genreIds }) => genreIds.join(',') || undefined,
  languages: ({ languageIds }) => languageIds.join(',') || undefined,
};

/** Where a source says otherwise than an operator, whose word stays; station by station. */
export async function* findDisagreements(
  db: Queryable,
  source: string,
  resolvePlaceOf: ResolvePlace,
): AsyncGenerator<Disagreement[]> {
  let after = 0;
  for (;;) {
    const rows = await pinnedAfter.run(db, [after]);
    const ids = rows.map(({ id }) => id);
    const facts = Map.groupBy(await factsOfSource.run(db, [ids, source]), (row) => row.station_id);
    const kept = new Map(
      (await loadStations(db, [...facts.keys()])).stations.map((draft) => [draft.id, draft]),
    );
    for (const { id, pinned } of rows) {
      const said = await draftOf(facts.get(id) ?? [], source, resolvePlaceOf);
      const station = kept.get(id);
      const found = said && station ? compare(station, said, pinned) : [];
      if (found.length > 0) yield found;
    }
    after = ids.at(-1) ?? 0;
    if (ids.length < PAGE) return;
  }
}

/** What the records of one source alone make of a station. */
async function draftOf(
  rows: readonly { record: string; facts: string | null; doubtful: boolean }[],
  source: string,
  resolvePlaceOf: ResolvePlace,
): Promise<StationDraft | undefined> {
  let draft: StationDraft | undefined;
  for (const row of rows) {
    const resolved = await resolveAgain(resolvePlaceOf, { source, ...row });
    if (draft) foldRecord(draft, resolved);
    else draft = foundStation(resolved);
  }
  return draft;
}

const compare = (station: StationDraft, said: StationDraft, pinned: readonly string[]): Disagreement[] =>
  pinned.flatMap((field) => {
    const [ours, theirs] = [SAID[field]?.(station), SAID[field]?.(said)];
    if (theirs === undefined || theirs === ours) return [];
    return { what: 'kept', station: guideId('s', station.id), field, operator: ours ?? '', source: theirs };
  });
