import type { Redis } from 'ioredis';
import type { Log } from '../../lib/log.ts';
import { tryParseJson } from '../../lib/parse-json.ts';
import { commandConnection, listeningConnection } from '../../storage/cache/redis.ts';
import {
  askScript,
  claimScript,
  NOTHING,
  parseSong,
  parseStoredSong,
  publishScript,
  UNHEARD,
  writeSong,
} from './redis-scripts.ts';
import { shownUntil, type Song, type StationSong } from './song.ts';
import {
  type DueStation,
  MAX_SONGS,
  MAX_WANTED,
  type News,
  type PlayingStore,
  StoreAway,
  type StationUpdate,
  WANTED_MS,
} from './store.ts';

interface RedisStoreOptions {
  url: string;
  log: Log;
  /** Prefix of its keys. The braces keep them on one node of a cluster. */
  prefix?: string;
  wantedMs?: number;
  mostWanted?: number;
}

const HOUR = 3_600_000;
/** Redis is blocked while it runs a script: some milliseconds at this size. */
const MAX_BATCH = 500;

/** Shared by all processes that use the same Redis. */
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
    this.#mostWanted = options.mostWanted ?? MAX_WANTED;
    this.#redis = commandConnection(url, log);
    this.#news = new RedisNews(url, this.#key('news'));
  }

  async ask(stationIds: readonly number[]): Promise<void> {
    const keys = [this.#key('wanted'), this.#key('due'), this.#key('held')];
    for (const some of inBatches(stationIds))
      await unlessAway(askScript.run(this.#redis, keys, [this.#wantedMs, this.#mostWanted, ...some]));
  }

  async claimDue(most: number, leaseMs: number): Promise<readonly DueStation[]> {
    const keys = [this.#key('wanted'), this.#key('due')];
    const room = Math.min(most, MAX_BATCH);
    const values = [this.#wantedMs, room, leaseMs, this.#key('song:')];
    const claimed = await unlessAway(claimScript.run(this.#redis, keys, values));
    return Array.isArray(claimed) ? claimed.flatMap(dueStation) : [];
  }

  async publish(updates: readonly StationUpdate[]): Promise<void> {
    const keys = [this.#key('due'), this.#key('held'), this.#key('recent')];
    const first = [this.#key('song:'), this.#key('news'), MAX_SONGS];
    for (const some of inBatches(updates))
      await unlessAway(publishScript.run(this.#redis, keys, [...first, ...some.flatMap(valuesOf)]));
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
    const last = Math.min(most, MAX_SONGS) - 1;
    if (last < 0) return [];
    const ids = await unlessAway(this.#redis.zrevrange(this.#key('recent'), 0, last));
    const songs = await this.songs(ids.map(Number));
    return [...songs].map(([stationId, song]) => ({ stationId, song }));
  }

  subscribe(listener: (news: readonly News[]) => void, onLost?: () => void): Disposable {
    return this.#news.subscribe(listener, onLost);
  }

  /** Resolves when commands are accepted; only tests wait for it. */
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

/**
 * How a Redis says that it is not the one to ask now: it has just become a follower or leads no more, still loads, may not or
 * cannot write, or is at work on something long. Any other error reply is a bug here; any other error means it is unreachable.
 */
const AWAY =
  /^(?:ERR .* -)?(?:READONLY|MASTERDOWN|NOREPLICAS|LOADING|MISCONF|OOM|BUSY|CLUSTERDOWN|TRYAGAIN)\b/;

async function unlessAway<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError' && !AWAY.test(error.message)) throw error;
    throw new StoreAway('Redis does not answer', { cause: error });
  }
}

/** Ids and songs alternate. */
const dueStation = (id: unknown, index: number, all: readonly unknown[]): DueStation[] =>
  index % 2 === 0 ? [{ stationId: Number(id), song: parseSong(all[index + 1]) }] : [];

function valuesOf({ stationId, heard, dueInMs, holdMs = 0 }: StationUpdate): (string | number)[] {
  const [life, text] =
    heard === 'nothing'
      ? [1, NOTHING]
      : heard === 'unheard'
        ? [1, UNHEARD]
        : [lifeMs(heard), writeSong(heard)];
  return [stationId, Math.round(dueInMs), Math.round(holdMs), life, text];
}

/** A song that claims to last for days is polled again before that. */
const lifeMs = (song: Song): number =>
  Math.round(Math.min(Math.max(shownUntil(song) - Date.now(), 1000), HOUR));

const inBatches = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_BATCH) }, (_, index) =>
    items.slice(index * MAX_BATCH, (index + 1) * MAX_BATCH),
  );

interface Subscriber {
  readonly listener: (news: readonly News[]) => void;
  readonly onBegin: (() => void) | undefined;
}

/** News of stations from all processes, over a connection that is opened for the first subscriber. */
class RedisNews implements Disposable {
  readonly #url: string;
  readonly #channel: string;
  readonly #subscribers = new Set<Subscriber>();
  #redis: Redis | undefined;
  #hasBegun = false;

  constructor(url: string, channel: string) {
    this.#url = url;
    this.#channel = channel;
  }

  subscribe(listener: Subscriber['listener'], onBegin: Subscriber['onBegin']): Disposable {
    const subscriber = { listener, onBegin };
    this.#subscribers.add(subscriber);
    if (this.#hasBegun) onBegin?.();
    this.#redis ??= this.#listen();
    return { [Symbol.dispose]: () => void this.#subscribers.delete(subscriber) };
  }

  [Symbol.dispose](): void {
    this.#redis?.disconnect();
    this.#subscribers.clear();
  }

  #listen(): Redis {
    const redis = listeningConnection(this.#url);
    redis.on('message', (_channel: string, text: string) => this.#spread(parseNews(text)));
    redis.on('ready', () => {
      // If it fails the connection is lost, and the next one subscribes again.
      redis.subscribe(this.#channel).then(
        () => this.#begin(),
        () => undefined,
      );
    });
    return redis;
  }

  #spread(news: readonly News[]): void {
    for (const { listener } of this.#subscribers) listener(news);
  }

  #begin(): void {
    this.#hasBegun = true;
    for (const { onBegin } of this.#subscribers) onBegin?.();
  }
}

/** Another version of this program may have written it: anything that is not news is dropped. */
function parseNews(text: string): News[] {
  const items = tryParseJson(text);
  return Array.isArray(items) ? items.flatMap(newsOf) : [];
}

function newsOf(item: unknown): News[] {
  if (!Array.isArray(item) || typeof item[0] !== 'number') return [];
  return [{ stationId: item[0], song: parseStoredSong(item[1]) }];
}
