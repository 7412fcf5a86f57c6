import { foldLetters, plainNames } from './plain-name.ts';

/** What a listener calls one station, and how its records are known. */
export interface Broadcaster {
  name: string;
  /** ISO 3166-1: `AT`. */
  country: string;
  /** Marked `*`: its records say no country, and no other station has the name. */
  mayLackCountry: boolean;
  /** Marked `!`: the same name on another frequency is another station. */
  frequencyCounts: boolean;
  pattern: RegExp;
  /** Of the homepage, where the name is not enough. */
  host?: RegExp | undefined;
}

/** What a listener wants to hear, whoever broadcasts it. Many stations say it in their name only. */
export interface Subject {
  name: string;
  genre: RegExp;
  language: RegExp;
}

/** As much of a record or of a listed station as tells who it is. */
export interface Named {
  name: string;
  plainNames: string[];
  country?: string | undefined;
  host?: string | undefined;
}

/** A station as the directory lists it. */
export interface Listed extends Named {
  genres: string[];
  languages: string[];
}

export const named = (name: string, country?: string, host?: string): Named => ({
  name,
  plainNames: plainNames(name),
  country,
  host,
});

export const isStationOf = (
  { country, mayLackCountry, frequencyCounts, pattern, host }: Broadcaster,
  station: Named,
): boolean =>
  (country === station.country || (mayLackCountry && station.country === undefined)) &&
  (host === undefined || host.test(station.host ?? '')) &&
  station.plainNames.slice(0, frequencyCounts ? 1 : 2).some((name) => pattern.test(name));

export const answers = (wanted: Broadcaster | Subject, station: Listed): boolean =>
  'genre' in wanted
    ? [...station.genres, ...station.plainNames].some((text) => wanted.genre.test(text)) &&
      [...station.languages, ''].some((language) => wanted.language.test(language))
    : isStationOf(wanted, station);

/** What may follow any name without naming another station: its country has to be right anyway. */
const AROUND =
  'fm|radio|live|online|official|livestream|uk|ireland|australia|canada|nz|deutschland|osterreich|austria|schweiz|suisse|' +
  'italia|italy|france|espana|spain|portugal|nederland|belgie|belgium|polska|hungary|romania|greece|turkey|turkiye|russia|' +
  'brasil|brazil|mexico|argentina|chile|colombia|peru|india|sverige|norge|danmark|suomi|bulgaria|ukraine';

/** `AT! NAME = PATTERN @ HOST`; undefined when it is nothing of the kind. */
export function parseBroadcaster(line: string): Broadcaster | undefined {
  const parts = /^([A-Z]{2})([*!]*) (.+?) = (.+?)(?: @ (\S+))?$/.exec(line);
  if (!parts) return undefined;
  const [, country = '', marks = '', name = '', pattern = '', host] = parts;
  return {
    name,
    country,
    mayLackCountry: marks.includes('*'),
    frequencyCounts: marks.includes('!'),
    pattern: new RegExp(`^(?:${foldLetters(pattern)})(?: (?:${AROUND}))*$`, 'u'),
    host: host === undefined ? undefined : new RegExp(host, 'u'),
  };
}

/** `{news es}`; undefined when it is nothing of the kind. */
export function parseSubject(text: string): Subject | undefined {
  const parts = /^\{(\S+) (\S+)\}$/.exec(text);
  if (!parts) return undefined;
  const [, genre = '', language = ''] = parts;
  return {
    name: text,
    genre: new RegExp(genre),
    language: language === '.' ? /^/ : new RegExp(`^${language}`),
  };
}
