import { forEachYielding } from '../../../lib/clock.ts';
import { foldText } from '../../../lib/search-words.ts';
import type { FoundArea } from '../local/find-broadcasters.ts';
import type { DirectoryStation } from '../snapshot/snapshot.ts';
import { baseWords, differ, type Join, type PlaceWords } from './namesakes.ts';

/**
 * Divides what the list of broadcasters takes for one station of a town: a record with another call sign or frequency
 * and no word in common is somebody else, who has the same owner or had the frequency before.
 */
export function recordsOfOne(
  stations: readonly DirectoryStation[],
  places: PlaceWords,
): readonly (readonly DirectoryStation[])[] {
  if (stations.length < 2) return [stations];
  const groups: { stations: DirectoryStation[]; words: ReadonlySet<string> }[] = [];
  for (const station of stations) {
    const words = tellingWords(station, places);
    const same = groups.find((group) => !areTwo(station, words, group.stations[0]!, group.words));
    if (same) same.stations.push(station);
    else groups.push({ stations: [station], words });
  }
  return groups.map((group) => group.stations);
}

function areTwo(
  a: DirectoryStation,
  its: ReadonlySet<string>,
  b: DirectoryStation,
  theirs: ReadonlySet<string>,
): boolean {
  if (!differ(a.frequency, b.frequency) && !differ(a.callSign, b.callSign)) return false;
  if (its.size === 0 || theirs.size === 0 || !its.isDisjointFrom(theirs)) return false;
  // Nobody can compare names in two scripts.
  return isLatin(its) === isLatin(theirs);
}

const isLatin = (words: ReadonlySet<string>): boolean => [...words].some((word) => /[a-z]/.test(word));

const COMMON = new Set(
  'radio the las los new fm am news newsradio sports sport talk talkradio classical public hits country rock music la el'.split(
    ' ',
  ),
);

/** What tells a station from others: not its town, its kind or its owner, which stand behind a dash or in brackets. */
function tellingWords({ name, countryCode }: DirectoryStation, places: PlaceWords): ReadonlySet<string> {
  const ofPlaces = places.get(countryCode ?? '');
  const words = foldText(name.split(/ - | \(| \[/, 1)[0] ?? name)
    .split(' ')
    .filter((word) => !/^\d+$/.test(word) && !COMMON.has(word) && ofPlaces?.has(word) !== true);
  return new Set(words);
}

/** Words behind the name of a station that name another programme, and not a town. */
const PROGRAMMES = new Set(
  'news info noticias jazz rock pop gold classic classics hits dance kids plus extra xtra sport sports talk culture kultur musica music klassik klassiskt 1 2 3 4'.split(
    ' ',
  ),
);

/**
 * Joins the broadcasters of a town to those of the whole country whose names they carry: DR P5 København to DR P5, RMF
 * MAXX Warszawa to RMF MAXX.
 */
export async function joinLocalBroadcasters(broadcasters: readonly FoundArea[], join: Join): Promise<void> {
  const nationwide = new Map<string, number>();
  await forEachYielding(broadcasters, ({ area, stations }) => {
    if (area.around) return;
    for (const { name, rank } of stations.flat()) {
      const key = `${area.countryCode} ${baseWords(name).join(' ')}`;
      nationwide.set(key, Math.min(rank, nationwide.get(key) ?? rank));
    }
  });
  await forEachYielding(broadcasters, ({ area, stations }) => {
    if (!area.around) return;
    for (const { name, rank } of stations.flat()) {
      const words = baseWords(name);
      for (let count = words.length - 1; count > 0; count -= 1) {
        const whole = nationwide.get(`${area.countryCode} ${words.slice(0, count).join(' ')}`);
        if (whole === undefined) continue;
        if (!words.slice(count).some((word) => PROGRAMMES.has(word) || /\d/.test(word))) join(whole, rank);
        break;
      }
    }
  });
}
