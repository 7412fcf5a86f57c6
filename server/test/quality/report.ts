import { distanceKm } from '../../src/lib/geo.ts';
import { type City, type Query, QUERY_KINDS } from './lists.ts';
import { answers, type Broadcaster, isStationOf, type Subject } from './match.ts';
import { type Reason, REASONS, type Station } from './stations.ts';

/** A playable line of an answer, in the order of the answer. */
export interface Line extends Station {
  guideId: string;
  /** As the radio shows it. */
  text: string;
}

export interface CityResult {
  city: City;
  lines: Line[];
  /** Where each wanted one is first found: 0 is the first line, -1 nowhere. */
  places: { wanted: Broadcaster; place: number; why: Reason | undefined }[];
}

export interface QueryResult {
  query: Query;
  lines: Line[];
  place: number;
}

/** What a person sees at once, and after some turning. */
export const FEW = 20;
const MANY = 60;
const INSTEAD = 3;

/** The totals, then every city, worst first, with what is missing. */
export function cityReport(results: readonly CityResult[]): string[] {
  const rows = results
    .map((result) => ({ result, few: within(result, FEW), many: within(result, MANY) }))
    .toSorted((a, b) => a.few - b.few || a.many - b.many || order(a.result.city.name, b.result.city.name));
  const all = results.flatMap(({ places }) => places);
  const reasons = REASONS.map((reason) => `${reason} ${all.filter(({ why }) => why === reason).length}`);
  return [
    `LOCAL: ${results.length} cities, ${all.length} broadcasters`,
    `in the first ${FEW}: ${percent(sum(rows.map(({ few }) => few)), all.length)}`,
    `in the first ${MANY}: ${percent(sum(rows.map(({ many }) => many)), all.length)}`,
    `not in the first ${FEW}: ${reasons.join(', ')}`,
    '',
    `${'city'.padEnd(18)} of  ${FEW}  ${MANY}  not in the first ${FEW}`,
    ...rows.map(({ result, few, many }) => {
      const counts = [result.places.length, few, many].map((count) => String(count).padStart(2)).join('  ');
      return `${result.city.name.padEnd(18)} ${counts}  ${missing(result)}`;
    }),
  ];
}

const within = ({ places }: CityResult, limit: number): number =>
  places.filter(({ place }) => place >= 0 && place < limit).length;

const missing = ({ places }: CityResult): string =>
  places
    .filter(({ why }) => why !== undefined)
    .map(({ wanted, place, why }) => `${wanted.name} (${place < 0 ? why : `place ${place + 1}`})`)
    .join(', ');

/** The totals, by kind too; then every query whose first line is wrong, with what came. */
export function queryReport(results: readonly QueryResult[]): string[] {
  const misses = results.filter(({ place }) => place !== 0);
  const instead = Map.groupBy(misses, insteadOf);
  return [
    `SEARCH: ${results.length} queries`,
    `first line right: ${shareOf(results, 1)}`,
    `in the first three: ${shareOf(results, INSTEAD)}`,
    ...QUERY_KINDS.map((kind) => {
      const some = results.filter(({ query }) => query.kind === kind);
      return `  ${kind}: first ${shareOf(some, 1)}, first three ${shareOf(some, INSTEAD)}`;
    }),
    `first line wrong: ${[...instead].map(([what, some]) => `${what} ${some.length}`).join(', ')}`,
    '',
    ...misses.toSorted(byKindAndText).map(missOf),
  ];
}

const shareOf = (results: readonly QueryResult[], limit: number): string =>
  percent(results.filter(({ place }) => place >= 0 && place < limit).length, results.length);

const byKindAndText = (a: QueryResult, b: QueryResult): number =>
  QUERY_KINDS.indexOf(a.query.kind) - QUERY_KINDS.indexOf(b.query.kind) || order(a.query.text, b.query.text);

function insteadOf({ query, lines }: QueryResult): string {
  const [first] = lines;
  if (!first) return 'nothing found';
  if (query.wanted.some((wanted) => 'genre' in wanted)) return 'another subject';
  const isOfCountry = query.wanted.some((wanted) => 'country' in wanted && wanted.country === first.country);
  return isOfCountry ? 'another of the country' : 'one of another country';
}

function missOf({ query, lines, place }: QueryResult): string {
  const came = lines.slice(0, INSTEAD).map(({ text, country }) => `${text} [${country ?? '--'}]`);
  const where = place < 0 ? 'absent' : `place ${place + 1}`;
  const wanted = query.wanted.map(({ name }) => name).join(' or ');
  return `${query.kind} · ${query.text} · ${query.caller.name} · ${wanted}: ${where} · ${came.join('; ') || 'nothing'}`;
}

/** Every line of one city, the wanted ones marked. */
export function cityLines({ city, lines, places }: CityResult): string[] {
  const absent = places.filter(({ place }) => place < 0).map(({ wanted, why }) => `${wanted.name} (${why})`);
  const wantedAs = (line: Line): Broadcaster | undefined =>
    city.wanted.find((wanted) => isStationOf(wanted, line));
  return [
    `${city.name}: absent ${absent.join(', ') || 'none'}`,
    ...lines.slice(0, MANY).map((line, place) => writeLine(line, place, wantedAs(line), city)),
  ];
}

/** Every line of one query, the right ones marked. */
export function queryLines({ query, lines }: QueryResult): string[] {
  const wantedAs = (line: Line): Broadcaster | Subject | undefined =>
    query.wanted.find((wanted) => answers(wanted, line));
  return [
    `${query.text} (${query.caller.name}): wanted ${query.wanted.map(({ name }) => name).join(' or ')}`,
    ...lines.slice(0, FEW).map((line, place) => writeLine(line, place, wantedAs(line), query.caller)),
  ];
}

/** With what an order can go by: distance from the caller and popularity. */
function writeLine(line: Line, place: number, wanted: Broadcaster | Subject | undefined, from: City): string {
  const { guideId, country = '--', text, name, coordinate, popularity } = line;
  const distance = coordinate ? `${Math.round(distanceKm(coordinate, from))} km` : 'no place';
  return [
    String(place + 1).padStart(3),
    wanted ? '*' : ' ',
    guideId.padEnd(8),
    distance.padStart(8),
    String(popularity).padStart(6),
    country,
    text,
    ...(text.startsWith(name) ? [] : [`(${name})`]),
    ...(wanted ? [`= ${wanted.name}`] : []),
  ].join(' ');
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const percent = (part: number, all: number): string =>
  `${((100 * part) / Math.max(1, all)).toFixed(1)} % (${part} of ${all})`;
const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
