import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Log } from '../../lib/log.ts';
import { tryParseJson } from '../../lib/parse-json.ts';
import { commandConnection, listeningConnection, NOW, RedisScript } from '../../storage/cache/redis.ts';
import { type BookAnswer, type BookEntry, type BucketBook, LOW } from './bucket-book.ts';

/**
 * KEYS buckets. ARGV whether all or none, the channel, then for each bucket: its name, tokens a second, size, tokens to
 * take, how full it is believed to be. Returns whether they were taken, and how full the buckets are. A page dated ahead, since
 * the clock was set back, begins anew: it would not fill until the clock has caught up.
 */
const exchangeScript = new RedisScript(`${NOW}
local levels, taken = {}, 1
local function write(key, level, rate, burst)
  local full = math.ceil((burst - level) / rate * 1000) + 1000
  redis.call('SET', key, string.format('%.6f %d', level, now), 'PX', full)
end
for i, key in ipairs(KEYS) do
  local at = 2 + (i - 1) * 5
  local rate, burst, spend = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
  local page = redis.call('GET', key)
  local level, since = tonumber(ARGV[at + 5]), now
  if page then
    local tokens, written = string.match(page, '(%S+) (%S+)')
    since = tonumber(written)
    level = tonumber(tokens) + math.max(0, now - since) * rate / 1000
  end
  levels[i] = math.min(burst, level)
  if since > now then write(key, levels[i], rate, burst) end
  if ARGV[1] == '1' and levels[i] < spend then taken = 0 end
end
if taken == 1 then
  local low = {}
  for i, key in ipairs(KEYS) do
    local at = 2 + (i - 1) * 5
    local rate, burst, spend = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
    levels[i] = math.min(burst, math.max(-burst, levels[i] - spend))
    write(key, levels[i], rate, burst)
    if levels[i] < burst * ${LOW} then low[#low + 1] = cjson.encode({ARGV[at + 1], levels[i]}) end
  end
  if #low > 0 then redis.call('PUBLISH', ARGV[2], '[' .. table.concat(low, ',') .. ']') end
end
for i = 1, #levels do levels[i] = string.format('%.6f', levels[i]) end
return {taken, levels}`);

/**
 * KEYS processes. ARGV the id of one, how long others are believed to be there. Returns how many there are. Those dated ahead are
 * said anew within a second, if they are there.
 */
const presenceScript = new RedisScript(`${NOW}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%d', now), '+inf')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`);

const PRESENCE_MS = 1000;
const GONE_MS = 5000;

interface RedisBookOptions {
  url: string;
  log: Log;
  /** Of its keys; the braces in it keep them on one node of a cluster. */
  prefix: string;
  /** Processes that are known without asking: those of this machine. */
  least: number;
  onLow: (low: readonly [name: string, level: number][]) => void;
}

/** The book of all machines that use one Redis. What it loses, processes tell it again as far as they know. */
export class RedisBook implements BucketBook, Disposable {
  readonly #redis: Redis;
  readonly #news: Redis;
  readonly #options: RedisBookOptions;
  readonly #id = randomUUID();
  readonly #timer: NodeJS.Timeout;
  #processes: number;
  /** When there were last as many. */
  #countedAtMs = 0;

  constructor(options: RedisBookOptions) {
    this.#options = options;
    this.#processes = options.least;
    this.#redis = commandConnection(options.url, options.log);
    this.#news = this.#listen();
    this.#redis.once('ready', () => void this.#sayPresent());
    this.#timer = setInterval(() => void this.#sayPresent(), PRESENCE_MS).unref();
  }

  /** All that share this book; while it is away, those that did last. */
  get processes(): number {
    return this.#processes;
  }

  async exchange(entries: readonly BookEntry[], exactly: boolean): Promise<BookAnswer> {
    const keys = entries.map(({ name }) => `${this.#options.prefix}bucket:${name}`);
    const values = entries.flatMap(({ name, perSecond, burst, spend, known }) => [
      name,
      perSecond,
      burst,
      spend,
      known,
    ]);
    const answer = await exchangeScript.run(this.#redis, keys, [exactly ? 1 : 0, this.#channel, ...values]);
    const [taken, levels] = Array.isArray(answer) ? (answer as unknown[]) : [];
    if (!Array.isArray(levels) || levels.length !== entries.length)
      throw new Error('Redis answered something else than the buckets');
    return { isTaken: taken === 1, levels: levels.map(Number) };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#redis.zrem(this.#processesKey, this.#id).catch(() => undefined);
    this.#redis.quit().catch(() => this.#redis.disconnect());
    this.#news.disconnect();
  }

  async #sayPresent(): Promise<void> {
    try {
      const count = await presenceScript.run(this.#redis, [this.#processesKey], [this.#id, GONE_MS]);
      this.#count(Math.max(this.#options.least, Number(count)));
    } catch {
      // Those that were there last are believed to be there still: a share must not grow because nobody can be counted.
    }
  }

  /** One that was there is believed to be there for a while: a Redis that was emptied counts each anew. */
  #count(processes: number): void {
    const nowMs = performance.now();
    if (processes < this.#processes && nowMs - this.#countedAtMs < GONE_MS) return;
    this.#processes = processes;
    this.#countedAtMs = nowMs;
  }

  #listen(): Redis {
    const redis = listeningConnection(this.#options.url);
    redis.on('message', (_channel: string, text: string) => this.#options.onLow(parseLow(text)));
    redis.on('ready', () => void redis.subscribe(this.#channel).catch(() => undefined));
    return redis;
  }

  get #channel(): string {
    return `${this.#options.prefix}low`;
  }

  get #processesKey(): string {
    return `${this.#options.prefix}processes`;
  }
}

/** Another version of this program may have written it. */
function parseLow(text: string): [string, number][] {
  const items = tryParseJson(text);
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown): [string, number][] =>
    Array.isArray(item) && typeof item[0] === 'string' && typeof item[1] === 'number'
      ? [[item[0], item[1]]]
      : [],
  );
}
