import { knownBroadcasters } from '../../core/directory/local/broadcasters.ts';
import { guideId } from '../../lib/guide-id.ts';
import { BY_HAND } from '../../storage/catalog/stations/move-streams.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import { type RowOf, statement } from '../../storage/db/statement.ts';
import type { ResolvedRecord } from '../pipeline/clean-record.ts';
import { findFacts } from '../pipeline/known-rows.ts';
import { isTrusted, namingList, ListTrust } from '../pipeline/list-trust.ts';
import type { Witness } from '../pipeline/recognise.ts';
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
  /** The list it was copied from, and how many of its names were right where another list has the address too. */
  list: { name: string; compared: number; right: number; isTrusted: boolean };
  /** Whether only its address counts. */
  isDoubtful: boolean;
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
  'address and name': 'it plays at an address of the station, and has its name or a part of it',
  'address and homepage': 'it plays at an address of the station, and has its homepage',
  address: 'it plays at an address of the station; nothing else agrees',
  'redirect and name':
    'its address and one of the station’s lead to one place, and it has its name or a part of it',
  'redirect and homepage': 'its address and one of the station’s lead to one place, and it has its homepage',
  redirect: 'its address and one of the station’s lead to one place, to which few others lead',
  'name and homepage': 'it has the name and the homepage of the station',
  'name and mirror':
    'it has the name and country of the station, and its address is one of the station’s in another codec, bitrate or playlist, or on another machine of the same owner',
  'name and country':
    'it has the name and country of the station, and no other homepage and no place over 100 km away',
};
const UNKNOWN = 'not known: it was imported before reasons were stored';

/** Why a station is made of these records, and is called and placed as it is. Undefined if there is no such station. */
export async function explainMerge(db: Queryable, stationId: number): Promise<MergeExplanation | undefined> {
  const [station] = await findLabels.run(db, [stationId]);
  if (!station) return undefined;
  const rows = await findFacts.run(db, [[station.id]]);
  const resolvePlaceOf = await loadPlaceResolution(db);
  const records = await Promise.all(rows.map((row) => resolveAgain(resolvePlaceOf, row)));
  const trust = await ListTrust.load(db);
  return {
    station: guideId('s', station.id),
    name: station.name,
    labels: await explainLabels(station, records),
    records: records.map((record, index) => explainRecord(record, rows[index]!, trust)),
  };
}

function explainRecord(
  record: ResolvedRecord,
  row: RowOf<typeof findFacts.columns>,
  trust: ListTrust,
): ExplainedRecord {
  const { name, countryCode: country, homepage, stream } = record.clean;
  const list = namingList(record);
  const score = trust.scoreOf(list);
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
    list: { name: list, ...score, isTrusted: isTrusted(score) },
    isDoubtful: row.doubtful,
  };
}

function explainWitness(witness: string | null): string {
  if (witness?.startsWith(BY_HAND)) return 'an operator merged its station into this one';
  return (witness !== null && new Map(Object.entries(WHY)).get(witness)) || UNKNOWN;
}

const from = ({ source, record }: ResolvedRecord): string => `${source} ${record}`;

/** Records are believed in order of arrival, doubtful ones only where there are no others. */
async function explainLabels(station: Labels, all: readonly ResolvedRecord[]): Promise<ExplainedLabel[]> {
  const sure = all.filter(({ isDoubtful }) => isDoubtful !== true);
  const records = sure.length > 0 ? sure : all;
  const by = (field: string, derived: string): string => {
    if (station.pinned.includes(field)) return 'an operator set it';
    return records.length > 0 ? derived : 'no record says so: it was entered by other means';
  };
  const first = (knows: (record: ResolvedRecord) => boolean): string => {
    const found = records.find(knows);
    return found ? `from ${from(found)}, the first that knows one` : 'no record has one';
  };
  const nationwide = await isNationwide(station);
  return [
    { label: 'name', value: station.name, why: by('name', explainName(records)) },
    {
      label: 'homepage',
      value: station.homepage,
      why: by(
        'homepage',
        first(({ clean }) => clean.homepage !== undefined),
      ),
    },
    {
      label: 'country',
      value: station.country,
      why: by(
        'country_id',
        first(({ countryId }) => countryId !== null),
      ),
    },
    { label: 'place', value: station.region, why: by('region_id', explainPlace(station)) },
    {
      label: 'nationwide',
      value: nationwide ? 'yes' : 'no',
      why: nationwide
        ? 'core/directory/local/broadcasters has it as heard in the whole country, so menus place it in no town'
        : 'core/directory/local/broadcasters does not have its name for the whole country',
    },
  ];
}

function explainName(records: readonly ResolvedRecord[]): string {
  const [first] = records;
  if (!first) return '';
  const alike = records.filter(({ clean }) => clean.nameKey === first.clean.nameKey).length;
  const others = records.length - alike;
  const rest =
    others === 0 ? 'nobody calls it otherwise' : `${others} of ${records.length} call it otherwise`;
  return `from ${from(first)}, which came first; ${rest}`;
}

const POINTS: Readonly<Record<string, string>> = {
  register: 'its point is of a register of transmitters',
  claim: 'its point is what somebody entered for the station',
  city: 'its point is the middle of the city that its name or a list mentions',
};

const explainPlace = (station: Labels): string =>
  station.region === null
    ? 'no record knows more than the country'
    : (POINTS[station.point_source ?? ''] ?? 'a record names it; there is no point');

/** As the directory finds the broadcasters of a country; a frequency in the name may be left out there. */
async function isNationwide({ name_key: key, country_code: code }: Labels): Promise<boolean> {
  const areas = (await knownBroadcasters()).filter(
    ({ countryCode, around }) => countryCode === code && !around,
  );
  return areas.some(({ broadcasters }) => broadcasters.flat().includes(key));
}
