import { nameKey } from '../../core/cleaning/clean-name.ts';
import { foldText } from '../../lib/search-words.ts';

/** Fewer are a coincidence. */
const MIN_STATIONS = 3;
/** The share of a homepage's stations whose names must begin with the network's name. */
const SHARE = 0.6;
const MAX_WORDS = 3;
const MIN_NAME_LENGTH = 3;
/** Words that any station's name may begin with. */
const COMMON = new Set(
  `radio radyo rádió rádio radios fm am dab hd the la el le les los las das der die il lo o os a as de del al web webradio online live
  hit hits music musica musik musique rock pop jazz dance dj top best classic classics oldies gold golden news emisora estacion
  public nation canal royalty free bollywood love exclusively positively estación stereo ràdio rediyo радио фм эфм ραδιο`
    .split(/\s+/)
    .map((word) => foldText(word)),
);

/**
 * The network name that the stations of one homepage share: the words that most of their names begin with. A host with
 * pages of unrelated owners gives none, since their names have nothing in common.
 */
export function commonName(domain: string, names: readonly string[]): string | undefined {
  // Names that differ only by bitrate or codec count once.
  const stations = new Map(names.map((name) => [nameKey(name), name]));
  if (stations.size < MIN_STATIONS) return undefined;
  const words = [...stations.values()].map((name) => foldText(name).split(' '));
  const least = Math.max(MIN_STATIONS, SHARE * words.length);
  for (let count = MAX_WORDS; count > 0; count -= 1) {
    const begins = Map.groupBy(
      words.filter((name) => name.length >= count),
      (name) => name.slice(0, count).join(' '),
    );
    const [key, group] = [...begins].toSorted((a, b) => b[1].length - a[1].length)[0] ?? ['', []];
    const name =
      group.length >= least && isDistinctive(key, domain) ? asWritten(key, count, names) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** More than common words, or the very name of the homepage. */
function isDistinctive(key: string, domain: string): boolean {
  const [label = ''] = domain.split('.');
  if (key.replaceAll(' ', '').length < MIN_NAME_LENGTH) return false;
  return (
    key.replaceAll(' ', '') === foldText(label).replaceAll(' ', '') ||
    key.split(' ').some((word) => !COMMON.has(word) && !/^\d+$/.test(word))
  );
}

/** In the commonest spelling; undefined where the key ends in the middle of a word, as "98" of "98.5" does. */
function asWritten(key: string, count: number, names: readonly string[]): string | undefined {
  const spellings = names.flatMap((name) => {
    const parts = name.split(/\s+/);
    // A symbol between two words looks like a word but is dropped from the key.
    for (let length = count; length <= count + 1; length += 1) {
      const start = parts
        .slice(0, length)
        .join(' ')
        .replace(/[\s:|–—-]+$/, '');
      // What follows a separator belongs to the station: "Smart Radio - Smart Rock".
      if (foldText(start) === key) return start.replace(/\s[-–—|:].*$/, '');
    }
    return [];
  });
  const counted = [...Map.groupBy(spellings, (text) => text)].toSorted((a, b) => b[1].length - a[1].length);
  return counted[0]?.[0];
}
