import type { Pool } from 'pg';
import type { AnnounceDeps } from '../core/now-playing/announce.ts';
import type { StationSources } from '../core/now-playing/find-station.ts';
import type { PlayingBoard } from '../core/now-playing/playing-board.ts';
import { songHistory } from '../core/now-playing/song.ts';
import { StationKeyGuard } from '../core/now-playing/station-key-guard.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { ExactBuckets } from '../lib/token-buckets.ts';
import type { EventEndpoint } from '../net/http/endpoints/event-endpoint.ts';
import type { PlainEndpoint } from '../net/http/endpoints/plain-endpoint.ts';
import { openHand, setFields } from '../import/operator/hand.ts';
import { azuracastHook } from '../protocols/broadcasters/azuracast-hook.ts';
import { relayWishes, type RelayWishesDeps } from '../protocols/broadcasters/relay-wishes.ts';
import type { Endpoint } from '../protocols/radiotime/call/endpoint.ts';
import { pushEndpoint } from '../protocols/radiotime/playing/push.ts';
import { playingEvents } from '../protocols/site/playing/playing-events.ts';
import { Watch } from '../protocols/site/playing/watch.ts';
import { pinned } from '../storage/catalog/stations/station-fields.ts';
import { findStationRow } from '../storage/catalog/stations/stations.ts';

export interface BroadcastersDeps extends StationSources, Omit<AnnounceDeps, 'keepSongs' | 'board'> {
  db: Pool;
  board: PlayingBoard;
  clock?: Clock | undefined;
  /** Counts over all processes. */
  buckets?: ExactBuckets | undefined;
}

/** Receives song reports from broadcasters and pushes changes to the pages that watch. */
export interface Broadcasters extends Disposable {
  endpoints: readonly Endpoint[];
  plainEndpoints: readonly PlainEndpoint[];
  eventEndpoints: readonly EventEndpoint[];
}

export function openBroadcasters(deps: BroadcastersDeps): Broadcasters {
  const { db, log, board, directory, clock = systemClock, buckets } = deps;
  const watch = new Watch(board);
  const push = {
    ...deps,
    keepSongs: songHistory(db),
    keyGuard: new StationKeyGuard({ db, clock, log, buckets }),
  };
  return {
    endpoints: [pushEndpoint(push)],
    plainEndpoints: [azuracastHook(push), relayWishes({ ...push, setRelay: relaySetter(db) })],
    eventEndpoints: [playingEvents(directory, watch)],
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

/** As a change by hand, so that the operator sees it and can undo it. The directory is not read anew for what it knows. */
function relaySetter(pool: Pool): RelayWishesDeps['setRelay'] {
  const withHand = openHand(pool);
  return async (stationId, said, keyName) => {
    const relay = said ?? null;
    const station = await findStationRow(pool, stationId);
    if (station?.relay === relay) return;
    const author = { who: `the station (key ${keyName})` };
    await withHand(author, (hand) => setFields(hand, stationId, { relay: pinned(relay) }));
  };
}
