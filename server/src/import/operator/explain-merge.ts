import { knownBroadcasters } from '../../core/directory/local/broadcasters.ts';
import { guideId } from '../../lib/guide-id.ts';
import { BY_HAND } from '../../storage/catalog/stations/move-streams.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';
import type { ResolvedRecord } from '../pipeline/clean-record.ts';
import { type Chosen, chooseRecords, weightOf } from '../pipeline/derive-station.ts';
import { findFacts } from '../pipeline/known-rows.ts';
import { isProven, type Witness } from '../pipeline/recognise.ts';
import { loadPlaceResolution, resolveAgain } from '../pipeline/rederive.ts';

const findLabels = statement(
  'explain-merge-labels',
  {
    id: 'int8',
    name: 'text',
    name_key: 'text',
    homepage: 'text?',
    country: 'text?',
    country_code: 'text?',
    region: 'text?',
    point_source: 'text?',
    pinned: 'text[]',
  },
  `SELECT s.id, s.name, s.name_key, s.homepage, c.name AS country, c.code AS country_code, r.name AS region, s.point_source, s.pinned
   FROM stations s LEFT JOIN countries c ON c.id = s.country_id LEFT JOIN regions r ON r.id = s.region_id
   WHERE s.id = coalesce((SELECT merged_into FROM stations WHERE id = $1), $1)`,
);
type Labels = RowOf<typeof findLabels.columns>;

/** What one record says, and what joined it. */
export interface ExplainedRecord {
  source: string;
  record: string;
  name: string;
  country?: string | undefined;
  homepage?: string | undefined;
  address: string;
  stream: string;
  witness: string | null;
  why: string;
  weight: number;
  /** Whether its own address or homepage speaks for its name. */
  isProven: boolean;
  /** Whether what it says counts for anything but the address. */
  counts: boolean;
}

interface ExplainedLabel {
  label: 'name' | 'homepage' | 'country' | 'place' | 'nationwide';
  value: string | null;
  why: string;
}

export interface MergeExplanation {
  station: string;
  name: string;
  labels: ExplainedLabel[];
  records: ExplainedRecord[];
}

const WHY: Readonly<Record<Witness, string>> = {
  first: 'it came first, or nothing before it was the same station',
  'address and name': 'it plays at an address of the station, and has a word of its name',
  'address and homepage': 'it plays at an address of the station, and has its homepage',
  address: 'it plays at an address of the station; since nothing else agrees, only the address counts',
  'redirect and name':
    'its address and one of the station’s lead to one place, and it has a word of its name',
  'redirect and homepage': 'its address and one of the station’s lead to one place, and it has its homepage',
  redirect: 'its address and one of the station’s lead to one place, and nothing proves its own name',
  'name and homepage': 'it has the name and the homepage of the station',
  'name and mirror':
    'it has the name, and its address is another codec, bitrate or mirror of one of the station’s',
  'name and own host': 'it has the name, and plays from the station’s own host',
  'name and address text':
    'it has the name and country, and both their addresses or homepages speak of that name',
  'name in another script': 'it has the name and country, in letters that no address could confirm',
};
const UNKNOWN = 'not known: it was imported before reasons were stored';

/** Why a station is made of these records, and is called and placed as it is. Undefined if there is no such station. */
export async function explainMerge(db: Queryable, stationId: number): Promise<MergeExplanation | undefined> {
  const [station] = await findLabels.run(db, [stationId]);
  if (!station) return undefined;
  const rows = await findFacts.run(db, [[station.id]]);
  const resolvePlaceOf = await loadPlaceResolution(db);
  const records = rows.map((row) => resolveAgain(resolvePlaceOf, row));
  const [first, ...rest] = records;
  const chosen = first && chooseRecords([first, ...rest]);
  const counting = new Set(chosen?.speaking);
  return {
    station: guideId('s', station.id),
    name: station.name,
    labels: await explainLabels(station, chosen, records),
    records: records.map((record, index) => explainRecord(record, rows[index]!, counting.has(record))),
  };
}

function explainRecord(
  record: ResolvedRecord,
  row: RowOf<typeof findFacts.columns>,
  counts: boolean,
): ExplainedRecord {
  const { name, countryCode: country, homepage, stream } = record.clean;
  return {
    source: record.source,
    record: record.record,
    name,
    country,
    homepage,
    address: stream.address,
    stream: guideId('e', row.stream_id),
    witness: row.witness,
    why: explainWitness(row.witness),
    weight: weightOf(record),
    isProven: isProven(record),
    counts,
  };
}

function explainWitness(witness: string | null): string {
  if (witness?.startsWith(BY_HAND)) return 'an operator merged its station into this one';
  return (witness !== null && new Map(Object.entries(WHY)).get(witness)) || UNKNOWN;
}

const from = (record: ResolvedRecord | undefined): string =>
  record ? `${record.source} ${record.record}` : 'no record';

const sum = (some: readonly ResolvedRecord[]): number =>
  some.reduce((total, record) => total + weightOf(record), 0);

async function explainLabels(
  station: Labels,
  chosen: Chosen | undefined,
  records: readonly ResolvedRecord[],
): Promise<ExplainedLabel[]> {
  const by = (field: string, derived: string): string => {
    if (station.pinned.includes(field)) return 'an operator set it';
    return chosen ? derived : 'no record says so: it was entered by other means';
  };
  const nameKey = chosen?.named.clean.nameKey;
  const alike = records.filter(({ clean }) => clean.nameKey === nameKey);
  const nationwide = await isNationwide(station);
  return [
    {
      label: 'name',
      value: station.name,
      why: by(
        'name',
        `${alike.length} of ${records.length} records call it so, with ${sum(alike)} of ${sum(records)} of the weight; spelt as in ${from(chosen?.named)}`,
      ),
    },
    {
      label: 'homepage',
      value: station.homepage,
      why: by(
        'homepage',
        chosen?.homepage ? `from ${from(chosen.homepage)}` : 'no record that counts has one',
      ),
    },
    {
      label: 'country',
      value: station.country,
      why: by(
        'country_id',
        chosen?.place.countryId ? `of most, as in ${from(chosen.place)}` : 'no record that counts has one',
      ),
    },
    {
      label: 'place',
      value: station.region,
      why: by('region_id', explainPlace(station, chosen)),
    },
    {
      label: 'nationwide',
      value: nationwide ? 'yes' : 'no',
      why: nationwide
        ? 'core/directory/local/broadcasters has it as heard in the whole country, so menus place it in no town'
        : 'core/directory/local/broadcasters does not have its name for the whole country',
    },
  ];
}

const POINTS: Readonly<Record<string, string>> = {
  register: 'its point is of a register of transmitters',
  claim: 'its point is what somebody entered for the station',
  city: 'its point is the middle of the city that its name or a list mentions',
};

function explainPlace(station: Labels, chosen: Chosen | undefined): string {
  if (chosen?.place.regionId === null || station.region === null)
    return 'no record that counts knows more than the country';
  const point = POINTS[station.point_source ?? ''] ?? 'it has no point';
  return `from ${from(chosen?.place)}; ${point}`;
}

/** As the directory finds the broadcasters of a country; a frequency in the name may be left out there. */
async function isNationwide({ name_key: key, country_code: code }: Labels): Promise<boolean> {
  const areas = (await knownBroadcasters()).filter(
    ({ countryCode, around }) => countryCode === code && !around,
  );
  return areas.some(({ broadcasters }) => broadcasters.flat().includes(key));
}
