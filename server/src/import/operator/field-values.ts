import { cleanHomepage } from '../../core/cleaning/clean-homepage.ts';
import { readableName } from '../../core/cleaning/clean-name.ts';
import { parseBroadcast } from '../../core/cleaning/frequency.ts';
import { genresOfTag, MAX_GENRES } from '../../core/cleaning/genres.ts';
import { MAX_LANGUAGES, parseLanguage } from '../../core/cleaning/languages.ts';
import { parseCoordinate } from '../../lib/geo.ts';
import { parseRelayPermission, RELAY_PERMISSIONS } from '../../storage/catalog/streams/relayed-stream.ts';
import { parseCountry } from '../../storage/catalog/places/country-names.ts';
import { loadPlaceResolver, type ResolvedPlace } from '../../storage/catalog/places/place-resolver.ts';
import { type CountryRow, listCountries } from '../../storage/catalog/places/places.ts';
import { type FieldName, type FieldState, pinned } from '../../storage/catalog/stations/station-fields.ts';
import { listGenres, listLanguages } from '../../storage/catalog/stations/station-groups.ts';
import type { StationRow } from '../../storage/catalog/stations/stations.ts';
import type { Queryable } from '../../storage/db/pool.ts';

type Changes = Partial<Record<FieldName, FieldState>>;

interface Around {
  db: Queryable;
  station: StationRow;
  /** Everything that the same command sets. */
  given: ReadonlyMap<string, string>;
}

type Reader = (text: string, around: Around) => Changes | Promise<Changes>;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['name', readName],
  ['homepage', readHomepage],
  ['slogan', (text) => ({ slogan: pinned(readLine('slogan', text, 300)) })],
  ['description', (text) => ({ description: pinned(readLine('description', text, 5000)) })],
  ['frequency', readFrequency],
  ['band', readBand],
  ['callSign', readCallSign],
  ['country', readCountry],
  ['place', readPlace],
  ['latlon', readLatLon],
  ['genres', readGenres],
  ['languages', readLanguages],
  ['relay', readRelay],
]);

export const SETTABLE: readonly string[] = [...READERS.keys()];

/** Reads `name=Town FM` and its like by the rules of an import. What is empty (`slogan=`) is cleared. */
export async function readFields(
  db: Queryable,
  station: StationRow,
  words: readonly string[],
): Promise<Changes> {
  const given = new Map(words.map(readPair));
  if (given.size < words.length) throw new Error('a field is given twice; give each once');
  if (given.has('place') && given.has('latlon'))
    throw new Error('give place= or latlon=, not both: each says the whole place');
  const changes: Changes = {};
  // The place last: it says more than the country alone.
  for (const [field, reader] of READERS) {
    const text = given.get(field);
    if (text !== undefined) Object.assign(changes, await reader(text.trim(), { db, station, given }));
  }
  return changes;
}

function readPair(word: string): [field: string, text: string] {
  const at = word.indexOf('=');
  const field = word.slice(0, at);
  const known = SETTABLE.find((name) => name.toLowerCase() === field.toLowerCase().replaceAll(/[-_]/g, ''));
  if (at > 0 && known !== undefined) return [known, word.slice(at + 1)];
  throw new Error(
    at > 0
      ? `'${field}' cannot be set; choose from ${SETTABLE.join(', ')}`
      : `'${word}' is no field; write FIELD=VALUE, with quotes round values with spaces: name="Town FM"`,
  );
}

function readName(text: string): Changes {
  const name = readableName(text);
  if (name !== undefined) return { name: pinned(name) };
  throw new Error(`name: '${text}' is empty, a placeholder or only an address; give the station's name`);
}

function readHomepage(text: string): Changes {
  const page = cleanHomepage(text);
  if (text === '' || page !== undefined) return { homepage: pinned(page ?? null) };
  throw new Error(
    `homepage: '${text}' is no public web page; give one as https://station.example/, or homepage= for none`,
  );
}

function readLine(field: string, text: string, longest: number): string | null {
  if (text.length <= longest && !/\p{Cc}/u.test(text)) return text === '' ? null : text;
  throw new Error(`${field} takes up to ${longest} characters on one line; this has ${text.length}`);
}

const BANDS = ['FM', 'AM', 'SW', 'DAB', 'HD'];

function readBand(text: string, { station, given }: Around): Changes {
  const band = text.toUpperCase();
  if (text === '' && !given.get('frequency') && station.frequency === null) return { band: pinned(null) };
  if (!BANDS.includes(band)) throw new Error(`band: '${text}' is none; choose from ${BANDS.join(', ')}`);
  const frequency = given.get('frequency') ?? station.frequency ?? '';
  return frequency === '' ? { band: pinned(band) } : onBand(frequency, band);
}

function readFrequency(text: string, { station, given }: Around): Changes {
  if (text === '') return { frequency: pinned(null), band: pinned(given.get('band')?.toUpperCase() || null) };
  if (given.has('band')) return {};
  const value = Number(text.replace(',', '.'));
  const meant = value >= 76 && value <= 108 ? 'FM' : value >= 520 && value <= 1710 ? 'AM' : undefined;
  const band = station.band !== null && !['AM', 'FM'].includes(station.band) ? station.band : meant;
  if (band !== undefined) return onBand(text, band);
  throw new Error(
    `frequency: '${text}' is neither FM (76 to 108, in MHz) nor AM (520 to 1710, in kHz); give band=SW, DAB or HD with it`,
  );
}

/** Both are written together: a frequency means nothing without its band. */
function onBand(text: string, band: string): Changes {
  const frequency = text.trim().replace(',', '.');
  const isNumber = /^\d{1,5}(?:\.\d{1,3})?$/.test(frequency);
  const isFree = band !== 'FM' && band !== 'AM';
  const heard = isFree ? { frequency } : parseBroadcast(`${frequency} ${band}`, undefined);
  if (isNumber && heard.frequency !== undefined && (isFree || ('band' in heard && heard.band === band)))
    return { frequency: pinned(heard.frequency), band: pinned(band) };
  const range = band === 'FM' ? '76 to 108 (MHz)' : band === 'AM' ? '520 to 1710 (kHz)' : 'up to 99999.999';
  throw new Error(`frequency: '${text}' is not on ${band}; give a number from ${range}, such as 97.9`);
}

function readCallSign(text: string): Changes {
  const sign = text.toUpperCase();
  if (sign === '') return { call_sign: pinned(null) };
  if (/^[A-Z0-9]{2,8}(?:-[A-Z0-9]{1,6})?$/.test(sign)) return { call_sign: pinned(sign) };
  throw new Error(
    `callSign: '${text}' is none; give letters and digits such as WNYC-FM, or callSign= for none`,
  );
}

async function getCountry(db: Queryable, field: string, text: string): Promise<CountryRow> {
  const code = parseCountry(text);
  const found = (await listCountries(db)).find((country) => country.code === code);
  if (found) return found;
  throw new Error(`${field}: '${text}' is no country; give its code (AT) or name (Austria)`);
}

/** Of another country nothing that was known about the place is true any more. */
async function readCountry(text: string, { db, station, given }: Around): Promise<Changes> {
  const country = await getCountry(db, 'country', text);
  if (given.has('place') || given.has('latlon')) return {};
  if (country.id === station.country_id) return { country_id: pinned(country.id) };
  return placeFields({
    found: 'country',
    countryId: country.id,
    regionId: country.region_id,
    ...(country.zone !== null && { zone: country.zone }),
  });
}

const placeFields = ({ countryId, regionId, coordinate, zone }: ResolvedPlace): Changes => ({
  country_id: pinned(countryId ?? null),
  region_id: pinned(regionId ?? null),
  latitude: pinned(coordinate?.latitude ?? null),
  longitude: pinned(coordinate?.longitude ?? null),
  zone: pinned(zone ?? null),
});

const WRITE_PLACE = 'write a city, its state if needed, and its country: place="Portland, Oregon, US"';

async function readPlace(text: string, { db, given }: Around): Promise<Changes> {
  const [city = '', ...rest] = text.split(',').map((word) => word.trim());
  const said = rest.pop() ?? given.get('country');
  if (city === '' || said === undefined) throw new Error(`place: '${text}' has no country; ${WRITE_PLACE}`);
  const country = await getCountry(db, 'place', said);
  const resolver = await loadPlaceResolver(db, new Set([country.code]));
  const place = resolver.resolve({ city, state: rest.pop(), countryCode: country.code });
  if (place.found === 'city') return placeFields(place);
  throw new Error(
    `place: no city '${city}' is known in ${country.name}; ${WRITE_PLACE}, or give latlon=LATITUDE,LONGITUDE`,
  );
}

async function readLatLon(text: string, { db, station, given }: Around): Promise<Changes> {
  const at = parseCoordinate(text);
  if (!at) throw new Error(`latlon: '${text}' is no place; write degrees as latlon=48.21,16.37`);
  const said = given.get('country');
  const countries = await listCountries(db);
  const country =
    said === undefined
      ? countries.find(({ id }) => id === station.country_id)
      : await getCountry(db, 'country', said);
  const resolver = await loadPlaceResolver(db, country && new Set([country.code]));
  const place = resolver.resolve({ coordinate: at, ...(country && { countryCode: country.code }) });
  if (!place.coordinateDropped) return placeFields(place);
  throw new Error(
    `latlon: ${text} is not in ${country?.name ?? 'any country'}; give the country too: country=AT`,
  );
}

const itemsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
];

async function readGenres(text: string, { db }: Around): Promise<Changes> {
  const rows = await listGenres(db);
  const ids = itemsOf(text).flatMap((item) => {
    const own = rows.find(({ slug, name }) => [slug, name.toLowerCase()].includes(item.toLowerCase()));
    const found = own ? [own] : rows.filter(({ slug }) => genresOfTag(item).includes(slug));
    if (found.length === 0)
      throw new Error(
        `genres: '${item}' is none; Browse.ashx?c=music and c=talk list them, such as jazz, news, classic-rock`,
      );
    return found.map(({ id }) => id);
  });
  return { genres: pinned(few('genres', ids, MAX_GENRES)) };
}

async function readLanguages(text: string, { db }: Around): Promise<Changes> {
  const rows = await listLanguages(db);
  const ids = itemsOf(text).map((item) => {
    const code = parseLanguage(item);
    const found = rows.find((row) => row.code === code);
    if (!found) throw new Error(`languages: '${item}' is none; give codes or names: languages=de,en`);
    return found.id;
  });
  return { languages: pinned(few('languages', ids, MAX_LANGUAGES)) };
}

function readRelay(text: string): Changes {
  const relay = parseRelayPermission(text.toLowerCase());
  if (text === '' || relay !== undefined) return { relay: pinned(relay ?? null) };
  throw new Error(
    `relay: '${text}' is none; choose from ${RELAY_PERMISSIONS.join(', ')}, or relay= for none`,
  );
}

function few(field: string, ids: readonly number[], most: number): number[] {
  const distinct = [...new Set(ids)];
  if (distinct.length <= most) return distinct;
  throw new Error(`${field}: ${distinct.length} are too many; give the ${most} that say most`);
}
