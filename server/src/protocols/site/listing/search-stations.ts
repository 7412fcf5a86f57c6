import type { Snapshot } from '../../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../../core/i18n/words.ts';
import { countryOf, pointOf } from '../../../core/places/caller-places.ts';
import { findEverythingMeant } from '../../../core/search/everything-meant.ts';
import { stationsAt } from '../../../core/search/exactly-meant.ts';
import type { Hit } from '../../../core/search/find.ts';
import { looksLikeAddress, PLENTY } from '../../../core/search/queries.ts';
import { questionWords } from '../../../core/search/question.ts';
import { rankFound } from '../../../core/search/rank.ts';
import { ALL_FORMATS } from '../../../lib/stream-format.ts';
import type { SiteCall } from '../session/site-endpoint.ts';
import type { SiteApiContext } from '../api/deps.ts';

interface FoundStations {
  /** The best for this listener first. */
  ranks: number[];
  /** False for words that so many stations have that not all were looked at. */
  isWhole: boolean;
  oneLine: boolean;
}

interface Asking {
  call: SiteCall;
  context: SiteApiContext;
  snapshot: Snapshot;
  words: Words;
}

/** What the words find, in the order of the protocol's search, with all that follows its first fifty. */
export async function searchStations(
  text: string,
  { call, context, snapshot, words }: Asking,
): Promise<FoundStations> {
  const { finder, aliases, places } = context;
  const callerPlace = await places?.of({
    latlon: undefined,
    username: undefined,
    geoIp: call.caller.listenerAddress,
  });
  const countryCode = countryOf(callerPlace, snapshot);
  const place = pointOf(callerPlace, snapshot);
  const ranked = (hits: readonly Hit[]): number[] =>
    rankFound(snapshot, hits, { place, countryCode, formats: ALL_FORMATS, text }).map(
      ({ station }) => station.rank,
    );
  if (looksLikeAddress(text)) {
    const { stations } = await stationsAt(text, finder);
    if (stations.length > 0) return { ranks: once(ranked(stations)), isWhole: true, oneLine: false };
  }
  const { stations } = await findEverythingMeant(
    { snapshot, finder, aliases },
    { text, question: { words: questionWords(text), fields: [] }, stations: PLENTY, shows: 0 },
    { countryCode, formats: ALL_FORMATS, words },
  );
  return { ranks: once(ranked(stations)), isWhole: stations.length < PLENTY, oneLine: true };
}

/** Two records of one station may both be found, by their old ids. */
const once = (ranks: readonly number[]): number[] => [...new Set(ranks)];
