import { importAnnounced } from '../../src/app/announced-stations.ts';
import type { ImportSummary } from '../../src/import/pipeline/import-summary.ts';
import { ListedSongs } from '../../src/core/now-playing/listed-songs.ts';
import { MemoryStore } from '../../src/core/now-playing/memory-store.ts';
import { PlayingBoard } from '../../src/core/now-playing/playing-board.ts';
import { songHistory } from '../../src/core/now-playing/song.ts';
import { createLog } from '../../src/lib/log.ts';
import { yp } from '../../src/protocols/yp/yp.ts';
import { claimAnnounced } from '../../src/storage/catalog/streams/announced-streams.ts';
import { type AnnouncedOutcome, listenToAnnounced } from '../../src/workers/probe/listen-to-announced.ts';
import { testApp } from './http-server.ts';
import { ManualClock } from '../time/manual-clock.ts';
import { type SeededDirectory, seededDirectory } from '../content/seeded-directory.ts';
import { localFetcher } from '../stations/serve-raw.ts';

/** What Icecast reads of an answer. */
export interface YpAnswer {
  status: number;
  isOk: boolean;
  message: string;
  sid: string;
  touchSeconds: number;
}

export interface YpApp extends AsyncDisposable {
  seeded: SeededDirectory;
  clock: ManualClock;
  board: PlayingBoard;
  /** A call as Icecast makes it. */
  call: (form: Readonly<Record<string, string>> | string, from?: string) => Promise<YpAnswer>;
  get: (
    path: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; body: string; link: string }>;
  /** Listens to all that is due, as a worker does, in the order of their addresses. */
  listen: () => Promise<Record<string, AnnouncedOutcome>>;
  /** Lists what was heard. */
  list: () => Promise<ImportSummary>;
}

/** The host of streams in these tests, as `serveRaw` has it. */
export const HOST = '127.0.0.2';

/** The directory of Icecast over the small fictional directory. */
export async function ypApp(mode: 'on' | 'read' | 'off' = 'on'): Promise<YpApp> {
  const seeded = await seededDirectory();
  const { pool } = seeded.database;
  const clock = new ManualClock('2026-05-01T12:00:00Z');
  const store = new MemoryStore({ clock });
  const board = new PlayingBoard({ store, clock });
  const listedSongs = new ListedSongs({ playing: board, directory: seeded.directory });
  const log = createLog({ level: 'silent' });
  const deps = { db: pool, playing: store, board, keepSongs: songHistory(pool), log, clock };
  const { app } = testApp([], {
    clock,
    protocols: yp(mode, { ...deps, directory: seeded.directory, listedSongs }),
  });
  return {
    seeded,
    clock,
    board,
    async call(form, from = HOST) {
      const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Icecast 2.4.4' };
      const { statusCode, headers: said } = await app.inject({
        method: 'POST',
        url: '/cgi-bin/yp-cgi',
        remoteAddress: from,
        headers,
        payload,
      });
      const text = (name: string): string => String(said[name] ?? '');
      return {
        status: statusCode,
        isOk: text('ypresponse') === '1',
        message: text('ypmessage'),
        sid: text('sid'),
        touchSeconds: Number(text('touchfreq')),
      };
    },
    async get(path, headers) {
      const {
        statusCode,
        body,
        headers: said,
      } = await app.inject({ url: path, headers: { host: 'radio.test', ...headers } });
      return { status: statusCode, body, link: String(said['link'] ?? '') };
    },
    async listen() {
      const probing = { db: pool, fetcher: localFetcher(), resolve: resolveLocally };
      const outcomes: [string, AnnouncedOutcome][] = [];
      for (const due of await claimAnnounced(pool, 100))
        outcomes.push([new URL(due.address).pathname, await listenToAnnounced(probing, due)]);
      return Object.fromEntries(outcomes.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
    list: () => importAnnounced({ pool, log, absence: { withdrawAfterDays: 30 } }),
    async [Symbol.asyncDispose]() {
      await app.close();
      await listedSongs[Symbol.asyncDispose]();
      await board[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await seeded[Symbol.asyncDispose]();
    },
  };
}

const resolveLocally = async (host: string): Promise<string[]> =>
  host === 'radio.example.net' ? [HOST] : ['127.0.0.9'];

/** A stream that says what it is called. */
export const streamOf = (name: string, sound: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: ${name}\r\n\r\n`),
    sound,
  ]);
