import type { AnnounceDeps } from '../core/now-playing/announce.ts';
import type { StationSources } from '../core/now-playing/find-station.ts';
import type { PlayingBoard } from '../core/now-playing/playing-board.ts';
import { songHistory } from '../core/now-playing/song.ts';
import { StationKeyGuard } from '../core/now-playing/station-key-guard.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { EventEndpoint } from '../net/http/event-endpoint.ts';
import type { PlainEndpoint } from '../net/http/plain-endpoint.ts';
import { azuracastHook } from '../protocols/broadcasters/azuracast-hook.ts';
import type { Endpoint } from '../protocols/radiotime/call/endpoint.ts';
import { pushEndpoint } from '../protocols/radiotime/playing/push.ts';
import { playingEvents } from '../protocols/site/playing/playing-events.ts';
import { Watch } from '../protocols/site/playing/watch.ts';
import type { Queryable } from '../storage/db/pool.ts';

export interface BroadcastersDeps extends StationSources, Omit<AnnounceDeps, 'keepSongs' | 'board'> {
  db: Queryable;
  board: PlayingBoard;
  clock?: Clock | undefined;
}

/** Receives song reports from broadcasters and pushes changes to the pages that watch. */
export interface Broadcasters extends Disposable {
  endpoints: readonly Endpoint[];
  plainEndpoints: readonly PlainEndpoint[];
  eventEndpoints: readonly EventEndpoint[];
}

export function openBroadcasters(deps: BroadcastersDeps): Broadcasters {
  const { db, log, board, directory, clock = systemClock } = deps;
  const watch = new Watch(board);
  const push = { ...deps, keepSongs: songHistory(db), keyGuard: new StationKeyGuard({ db, clock, log }) };
  return {
    endpoints: [pushEndpoint(push)],
    plainEndpoints: [azuracastHook(push)],
    eventEndpoints: [playingEvents(directory, watch)],
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}
