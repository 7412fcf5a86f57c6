import { type StatusSong, memberOf, parseStatus, songIn, textOf } from './status-song.ts';

/** Of the years 1970 to 2200; a larger number is no count of seconds. */
const LAST_SECOND = 7_258_118_400;
const LONGEST_SONG_SECONDS = 86_400;

/** The song of AzuraCast's `/api/nowplaying/…`: of a list, of its first station. */
export function azuracastSong(text: string): StatusSong | undefined {
  const parsed = parseStatus(text);
  const station: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  // Of a station that is off the air it goes on telling the last song, for as long as it stays off.
  if (memberOf(station, 'is_online') === false) return undefined;
  const playing = memberOf(station, 'now_playing');
  const song = songIn(memberOf(playing, 'song'));
  if (!song) return undefined;
  const art = URL.parse(textOf(memberOf(playing, 'song'), 'art') ?? '');
  const startedAt = secondsOf(playing, 'played_at', LAST_SECOND);
  const duration = secondsOf(playing, 'duration', LONGEST_SONG_SECONDS);
  return {
    ...song,
    ...(art?.protocol.startsWith('http') ? { artAddress: art.href } : {}),
    ...(startedAt === undefined ? {} : { startedAtMs: startedAt * 1000 }),
    ...(startedAt === undefined || duration === undefined ? {} : { endsAtMs: (startedAt + duration) * 1000 }),
  };
}

function secondsOf(value: unknown, key: string, most: number): number | undefined {
  const seconds = memberOf(value, key);
  return typeof seconds === 'number' && seconds > 0 && seconds <= most ? seconds : undefined;
}
