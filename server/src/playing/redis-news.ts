import type { Redis } from 'ioredis';
import { tryParseJson } from '../lib/parse-json.ts';
import { listeningConnection } from './redis-connection.ts';
import { songOf } from './song-text.ts';
import type { News } from './store.ts';

interface Subscriber {
  readonly listener: (news: readonly News[]) => void;
  readonly onBegin: (() => void) | undefined;
}

/** News of stations from all processes, over a connection that is opened for the first who wants them. */
export class RedisNews implements Disposable {
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
      // Where it fails the connection is lost, and the next one begins here again.
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

/** Another version of this program may have written it: what is no news is none. */
function parseNews(text: string): News[] {
  const items = tryParseJson(text);
  return Array.isArray(items) ? items.flatMap(newsOf) : [];
}

function newsOf(item: unknown): News[] {
  if (!Array.isArray(item) || typeof item[0] !== 'number') return [];
  return [{ stationId: item[0], song: songOf(item[1]) }];
}
