import { announce, type Announcement } from '../../core/now-playing/announce.ts';
import { getStation } from '../../core/now-playing/find-station.ts';
import type { PushDeps } from '../../core/now-playing/station-key-guard.ts';
import { songOfText } from '../../formats/song-text.ts';
import { Fault } from '../../lib/fault.ts';
import { tryParseJson } from '../../lib/parse-json.ts';
import {
  basicPassword,
  bodyText,
  type PlainAnswer,
  type PlainCall,
  type PlainEndpoint,
} from '../../net/http/endpoints/plain-endpoint.ts';

/** Current and past songs with every mount: some ten kilobytes. */
const MAX_BYTES = 256 * 1024;

/** Receives AzuraCast's "Generic Web Hook", with the station key as password. */
export const azuracastHook = (deps: PushDeps): PlainEndpoint => ({
  path: '/air/azuracast/:id',
  answer: (call) => receive(deps, call),
});

async function receive(deps: PushDeps, call: PlainCall): Promise<PlainAnswer> {
  if (call.method !== 'POST') throw new Fault(400, undefined, "Send AzuraCast's now-playing data by POST");
  const key = basicPassword(call);
  const { id: stationId } = await getStation(deps, call.path['id'] ?? '');
  await deps.keyGuard.open({ stationId, key, address: call.address });
  const given = parseAzuraCast(await bodyText(call, MAX_BYTES));
  if (!given) throw new Fault(400, undefined, "The body is not AzuraCast's now-playing data");
  await announce(deps, stationId, given.song, call.now.epochMilliseconds);
  return { status: 200, text: '' };
}

/** AzuraCast's report: a song, or that none is playing. */
export interface AzuraCastWord {
  song: Announcement | undefined;
}

const MAX_ADDRESS_LENGTH = 1000;

/** AzuraCast's now-playing JSON; undefined for anything else. */
export function parseAzuraCast(text: string): AzuraCastWord | undefined {
  const given = tryParseJson(text);
  const playing = fieldOf(given, 'now_playing');
  if (fieldOf(given, 'station') === undefined) return undefined;
  if (playing === undefined || fieldOf(given, 'is_online') === false) return { song: undefined };
  const named = announcementOf(fieldOf(playing, 'song'));
  return { song: named && { ...named, ...timesOf(playing) } };
}

function announcementOf(song: unknown): Announcement | undefined {
  const named = songOfText({
    title: textIn(song, 'title') ?? textIn(song, 'text'),
    artist: textIn(song, 'artist'),
    album: textIn(song, 'album'),
  });
  const artAddress = addressOf(textIn(song, 'art'));
  return named && { ...named, ...(artAddress !== undefined && { artAddress }) };
}

/** Given in seconds, with a duration of 0 when unknown. */
function timesOf(playing: unknown): Pick<Announcement, 'startedAt' | 'endsAt'> {
  const playedAt = numberIn(playing, 'played_at');
  const seconds = numberIn(playing, 'duration') ?? 0;
  if (playedAt === undefined) return {};
  return { startedAt: playedAt * 1000, ...(seconds > 0 && { endsAt: (playedAt + seconds) * 1000 }) };
}

function addressOf(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_ADDRESS_LENGTH || !URL.canParse(text)) return undefined;
  return /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name) ?? undefined;
}

function textIn(value: unknown, name: string): string | undefined {
  const text = fieldOf(value, name);
  return typeof text === 'string' && text.trim() !== '' ? text : undefined;
}

function numberIn(value: unknown, name: string): number | undefined {
  const number = fieldOf(value, name);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
