import type { Redis } from 'ioredis';
import type { Log } from '../lib/log.ts';
import { commandConnection } from './redis-connection.ts';
import { RedisNews } from './redis-news.ts';
import { NOTHING, UNHEARD, askScript, claimScript, tellScript } from './redis-scripts.ts';
import { parseSong, writeSong } from './song-text.ts';
import { type Song, type StationSong, shownUntil } from './song.ts';
import {
  type DueStation,
  MOST_SONGS,
  MOST_WANTED,
  type News,
  type PlayingStore,
  StoreAway,
  type Told,
  WANTED_MS,
} from './store.ts';

export interface RedisStoreOptions {
  url: string;
  log: Log;
  /** What its keys begin with. The braces keep them together in a cluster. */
  prefix?: string;
  wantedMs?: number;
  mostWanted?: number;
}

const HOUR = 3_600_000;
/** Redis does nothing else while it runs a script: some milliseconds at this size. */
const MOST_AT_ONCE = 500;

/** Shared by all processes that name the same Redis. */
export class RedisStore implements PlayingStore {
  readonly kind = 'redis';
  readonly #redis: Redis;
  readonly #news: RedisNews;
  readonly #prefix: string;
  readonly #wantedMs: number;
  readonly #mostWanted: number;

  constructor({ url, log, ...options }: RedisStoreOptions) {
    this.#prefix = options.prefix ?? '{longwave}:playing:';
    this.#wantedMs = options.wantedMs ?? WANTED_MS;
    this.#mostWanted = options.mostWanted ?? MOST_WANTED;
    this.#redis = commandConnection(url, log);
    this.#news = new RedisNews(url, this.#key('news'));
  }

  async ask(stationIds: readonly number[]): Promise<void> {
    const keys = [this.#key('wanted'), this.#key('due')];
    for (const some of inBatches(stationIds))
      await unlessAway(askScript.run(this.#redis, keys, [this.#wantedMs, this.#mostWanted, ...some]));
  }

  async claimDue(most: number, leaseMs: number): Promise<readonly DueStation[]> {
    const keys = [this.#key('wanted'), this.#key('due')];
    const room = Math.min(most, MOST_AT_ONCE);
    const values = [this.#wantedMs, room, leaseMs, this.#key('song:')];
    const claimed = await unlessAway(claimScript.run(this.#redis, keys, values));
    return Array.isArray(claimed) ? claimed.flatMap(dueStation) : [];
  }

  async tell(told: readonly Told[]): Promise<void> {
    const keys = [this.#key('due'), this.#key('held'), this.#key('recent')];
    const first = [this.#key('song:'), this.#key('news'), MOST_SONGS];
    for (const some of inBatches(told))
      await unlessAway(tellScript.run(this.#redis, keys, [...first, ...some.flatMap(valuesOf)]));
  }

  async songs(stationIds: readonly number[]): Promise<ReadonlyMap<number, Song>> {
    const songs = new Map<number, Song>();
    for (const some of inBatches(stationIds)) {
      const texts = await unlessAway(this.#redis.mget(some.map((id) => this.#key(`song:${id}`))));
      for (const [index, id] of some.entries()) {
        const song = parseSong(texts[index]);
        if (song) songs.set(id, song);
      }
    }
    return songs;
  }

  async listRecent(most: number): Promise<readonly StationSong[]> {
    const last = Math.min(most, MOST_SONGS) - 1;
    if (last < 0) return [];
    const ids = await unlessAway(this.#redis.zrevrange(this.#key('recent'), 0, last));
    const songs = await this.songs(ids.map(Number));
    return [...songs].map(([stationId, song]) => ({ stationId, song }));
  }

  subscribe(listener: (news: readonly News[]) => void, onLost?: () => void): Disposable {
    return this.#news.subscribe(listener, onLost);
  }

  /** Resolves when commands are taken; tests wait for it, nobody else does. */
  async connected(): Promise<void> {
    if (this.#redis.status !== 'ready') await new Promise((resolve) => this.#redis.once('ready', resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#news[Symbol.dispose]();
    this.#redis.disconnect();
  }

  #key(name: string): string {
    return `${this.#prefix}${name}`;
  }
}

/** What Redis itself refuses is a mistake here; everything else is the way to it. */
async function unlessAway<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') throw error;
    throw new StoreAway('Redis does not answer', { cause: error });
  }
}

/** Ids and songs come in turn. */
const dueStation = (id: unknown, index: number, all: readonly unknown[]): DueStation[] =>
  index % 2 === 0 ? [{ stationId: Number(id), song: parseSong(all[index + 1]) }] : [];

function valuesOf({ stationId, heard, dueInMs, holdMs = 0 }: Told): (string | number)[] {
  const [life, text] =
    heard === 'nothing'
      ? [1, NOTHING]
      : heard === 'unheard'
        ? [1, UNHEARD]
        : [lifeMs(heard), writeSong(heard)];
  return [stationId, Math.round(dueInMs), Math.round(holdMs), life, text];
}

/** Where a song says that it lasts for days, it is asked again before. */
const lifeMs = (song: Song): number =>
  Math.round(Math.min(Math.max(shownUntil(song) - Date.now(), 1000), HOUR));

const inBatches = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / MOST_AT_ONCE) }, (_, index) =>
    items.slice(index * MOST_AT_ONCE, (index + 1) * MOST_AT_ONCE),
  );
