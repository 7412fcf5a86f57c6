import { type Broadcasters, openBroadcasters } from '../../src/app/open-broadcasters.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import type { DirectoryStation } from '../../src/core/directory/snapshot/snapshot.ts';
import { MemoryStore } from '../../src/core/now-playing/memory-store.ts';
import { PlayingBoard } from '../../src/core/now-playing/playing-board.ts';
import { createLog } from '../../src/lib/log.ts';
import { addStationKey } from '../../src/storage/catalog/stations/station-keys.ts';
import { keepLog } from '../processes/keep-log.ts';
import { type SeededDirectory, seededDirectory } from '../content/seeded-directory.ts';
import { ManualClock } from '../time/manual-clock.ts';

export interface AirApp extends AsyncDisposable {
  seeded: SeededDirectory;
  clock: ManualClock;
  store: MemoryStore;
  board: PlayingBoard;
  air: Broadcasters;
  station: DirectoryStation;
  /** Another one, with a key of its own. */
  other: DirectoryStation;
  key: string;
  otherKey: string;
  logLines: string[];
}

/** The studios' side of the small fictional directory, with two stations that have keys. */
export async function airApp(now = '2026-05-01T12:00:00Z'): Promise<AirApp> {
  const seeded = await seededDirectory();
  const { pool } = seeded.database;
  const clock = new ManualClock(now);
  const store = new MemoryStore({ clock });
  const board = new PlayingBoard({ store, clock });
  const logLines: string[] = [];
  const write = (line: string): void => {
    logLines.push(line);
    keepLog(line);
  };
  const air = openBroadcasters({
    directory: seeded.directory,
    aliases: new Aliases(pool),
    db: pool,
    playing: store,
    board,
    clock,
    log: createLog({ level: 'trace', sink: { write } }),
  });
  const [station, other] = seeded.directory.current().stations;
  if (!station || !other) throw new Error('the directory has no stations');
  const keyOf = async (id: number): Promise<string> => (await addStationKey(pool, id, 'test')) ?? '';
  return {
    seeded,
    clock,
    store,
    board,
    air,
    station,
    other,
    key: await keyOf(station.id),
    otherKey: await keyOf(other.id),
    logLines,
    async [Symbol.asyncDispose]() {
      air[Symbol.dispose]();
      await board[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await seeded[Symbol.asyncDispose]();
    },
  };
}
