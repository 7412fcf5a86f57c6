import { tryParseJson } from '../../lib/parse-json.ts';
import { NOW, RedisScript } from '../../storage/cache/redis.ts';
import { type Song, SONG_SOURCES } from './song.ts';

/** No key outlives the last process that used it by more than this. */
const KEEP_MS = 3_600_000;

/** What was written this much ahead of the clock was written before it was set back; less is two servers that differ a little. */
const AHEAD_MS = 2000;

/**
 * KEYS wanted, due, held. ARGV how long they stay wanted, maximum count, station ids. Where the clock was set back all begins anew:
 * nothing would be due until it has caught up.
 */
export const askScript = new RedisScript(`${NOW}
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
if last and tonumber(last) > now + ${AHEAD_MS} then redis.call('DEL', KEYS[1], KEYS[2], KEYS[3]) end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1])
local room = ARGV[2] - redis.call('ZCARD', KEYS[1])
for i = 3, #ARGV do
  local isKnown = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if isKnown or room > 0 then
    if not isKnown then room = room - 1 end
    redis.call('ZADD', KEYS[1], now, ARGV[i])
    redis.call('ZADD', KEYS[2], 'NX', now, ARGV[i])
  end
end
redis.call('PEXPIRE', KEYS[1], ${KEEP_MS})
redis.call('PEXPIRE', KEYS[2], ${KEEP_MS})`);

/**
 * KEYS wanted, due. ARGV how long they stay wanted, how many, the lease, the prefix of song keys. Returns ids and songs
 * alternately. Stations no longer in demand are removed here, a bounded number per call.
 */
export const claimScript = new RedisScript(`${NOW}
local most = tonumber(ARGV[2])
local claimed = {}
for look = 1, 10 do
  local room = most - #claimed / 2
  if room <= 0 then break end
  local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, room)
  if #due == 0 then break end
  for _, id in ipairs(due) do
    local asked = redis.call('ZSCORE', KEYS[1], id)
    if asked and tonumber(asked) > now - ARGV[1] then
      redis.call('ZADD', KEYS[2], now + ARGV[3], id)
      claimed[#claimed + 1] = id
      claimed[#claimed + 1] = redis.call('GET', ARGV[4] .. id) or ''
    else
      redis.call('ZREM', KEYS[2], id)
    end
  end
end
return claimed`);

/** Stored in place of a song for "no song" and "did not answer". */
export const NOTHING = '-';
export const UNHEARD = '';

/**
 * KEYS due, held, recent. ARGV the prefix of song keys, the channel, maximum number of songs, then for each station:
 * id, due in, held for, lifetime of the song, the song.
 */
export const publishScript = new RedisScript(`${NOW}
local news = {}
for i = 4, #ARGV, 5 do
  local id, hold, song = ARGV[i], tonumber(ARGV[i + 2]), ARGV[i + 4]
  local held = redis.call('ZSCORE', KEYS[2], id)
  if hold > 0 or not held or tonumber(held) <= now then
    redis.call('ZADD', KEYS[1], now + ARGV[i + 1], id)
    if hold > 0 then redis.call('ZADD', KEYS[2], now + hold, id) end
    if song == '${NOTHING}' then
      redis.call('DEL', ARGV[1] .. id)
      redis.call('ZREM', KEYS[3], id)
      news[#news + 1] = '[' .. id .. ',null]'
    elseif song ~= '${UNHEARD}' then
      redis.call('SET', ARGV[1] .. id, song, 'PX', ARGV[i + 3])
      redis.call('ZADD', KEYS[3], now + ARGV[i + 3], id)
      news[#news + 1] = '[' .. id .. ',' .. song .. ']'
    end
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
redis.call('ZREMRANGEBYRANK', KEYS[3], 0, -ARGV[3] - 1)
for i = 1, 3 do redis.call('PEXPIRE', KEYS[i], ${KEEP_MS}) end
if #news > 0 then redis.call('PUBLISH', ARGV[2], '[' .. table.concat(news, ',') .. ']') end`);

/** The form in which processes exchange it. */
export const writeSong = (song: Song): string => JSON.stringify(song);

/** Another version of this program may have written it: undefined when it is not a song. */
export function parseSong(text: unknown): Song | undefined {
  return typeof text === 'string' ? parseStoredSong(tryParseJson(text)) : undefined;
}

export function parseStoredSong(value: unknown): Song | undefined {
  const title = textIn(value, 'title');
  const startedAt = numberIn(value, 'startedAt');
  const heardAt = numberIn(value, 'heardAt');
  const named = textIn(value, 'source');
  const source = SONG_SOURCES.find((one) => one === named);
  if (title === undefined || startedAt === undefined || heardAt === undefined || source === undefined)
    return undefined;
  return {
    title,
    artist: textIn(value, 'artist'),
    album: textIn(value, 'album'),
    artAddress: textIn(value, 'artAddress'),
    startedAt,
    endsAt: numberIn(value, 'endsAt'),
    source,
    heardAt,
  };
}

const fieldOf = (value: unknown, key: keyof Song): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

function textIn(value: unknown, key: keyof Song): string | undefined {
  const text = fieldOf(value, key);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function numberIn(value: unknown, key: keyof Song): number | undefined {
  const number = fieldOf(value, key);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
