/** The place that the listener chose for "near you". */
export interface ChosenPlace {
  name: string;
  /** The guide ID of its region. */
  id: string;
  /** Its coordinate, if known: then stations beyond its own limits are found too. */
  latlon: readonly [latitude: number, longitude: number] | undefined;
}

/** The server's places for the typed text. */
export function readPlaces(answer: unknown): ChosenPlace[] {
  const places = isRecord(answer) && Array.isArray(answer['places']) ? answer['places'] : [];
  return places.filter(isRecord).flatMap((place) => {
    const { id, city, state, countryName, latitude, longitude } = place;
    if (!isRegion(id)) return [];
    const name = [city, state, countryName].filter(isText).join(', ');
    return name === '' ? [] : [{ name, id, latlon: latlonOf(latitude, longitude) }];
  });
}

/** As stored in the browser; an invalid value counts as missing. */
export function parsePlace(text: string | null): ChosenPlace | undefined {
  const value = parse(text ?? '');
  if (!isRecord(value)) return undefined;
  const { name, id, latlon } = value;
  const [latitude, longitude] = Array.isArray(latlon) ? latlon : [];
  return isText(name) && isRegion(id) ? { name, id, latlon: latlonOf(latitude, longitude) } : undefined;
}

const latlonOf = (latitude: unknown, longitude: unknown): ChosenPlace['latlon'] =>
  isWithin(latitude, 90) && isWithin(longitude, 180) ? [latitude, longitude] : undefined;

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most;
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isRegion = (value: unknown): value is string => isText(value) && /^r\d+$/.test(value);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
