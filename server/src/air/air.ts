import type { Queryable } from '../db/pool.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { EventEndpoint } from '../http/event-endpoint.ts';
import type { PlainEndpoint } from '../http/plain-endpoint.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { PlayingBoard } from '../playing/playing-board.ts';
import { songHistory } from '../playing/song-history.ts';
import type { AnnounceNeeds } from './announce.ts';
import { azuracastHook } from './azuracast-hook.ts';
import type { StationSources } from './find-station.ts';
import { playingEvents } from './playing-events.ts';
import { pushEndpoint } from './push.ts';
import { StationDoors } from './station-doors.ts';
import { Watch } from './watch.ts';

export interface AirNeeds extends StationSources, Omit<AnnounceNeeds, 'keepSongs' | 'board'> {
  db: Queryable;
  board: PlayingBoard;
  clock?: Clock | undefined;
}

/** What comes from the studios, and what goes out to the pages that watch. */
export interface Air extends Disposable {
  endpoints: readonly Endpoint[];
  plainEndpoints: readonly PlainEndpoint[];
  eventEndpoints: readonly EventEndpoint[];
}

export function openAir(needs: AirNeeds): Air {
  const { db, log, board, directory, clock = systemClock } = needs;
  const watch = new Watch(board);
  const push = { ...needs, keepSongs: songHistory(db), doors: new StationDoors({ db, clock, log }) };
  return {
    endpoints: [pushEndpoint(push)],
    plainEndpoints: [azuracastHook(push)],
    eventEndpoints: [playingEvents(directory, watch)],
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}
