import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { basename, join } from 'node:path';
import { songTag } from './song-tag.ts';

/** Ninety AAC frames of 1,024 samples at 48 kHz. */
const SEGMENT_SECONDS = 1.92;
const FRAMES = 90;
const LISTED = 5;
const PLAYLIST = 'application/vnd.apple.mpegurl';
const MASTER = `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=72000,CODECS="mp4a.40.2"
songs.m3u8
`;

interface HlsSong {
  artist: string;
  title: string;
}

/** Written here by whoever wants another song on the air. */
export const songFile = (folder: string): string => join(folder, 'hls-song.json');

/**
 * `/songs.m3u8` tells what plays by an ID3 tag before each segment of bare AAC, as stations with timed metadata do; its
 * time is the clock's. `/live.m3u8` is what ffmpeg writes into the folder. `/master.m3u8` leads to the first.
 */
export async function answerHls(folder: string): Promise<RequestListener> {
  const sound = oneSegment();
  const songs = new SongsOnAir(folder);
  return (request, response) => {
    const [url = ''] = request.url?.split('?') ?? [];
    const [, number] = /^\/songs-(\d+)\.aac$/.exec(url) ?? [];
    const file = join(folder, 'hls', basename(url));
    // Pages play HLS by script, so every station that wants to be heard on the web lets them.
    response.setHeader('access-control-allow-origin', '*');
    if (url === '/master.m3u8') response.setHeader('content-type', PLAYLIST).end(MASTER);
    else if (url === '/songs.m3u8') response.setHeader('content-type', PLAYLIST).end(songs.playlist());
    else if (number !== undefined)
      response.setHeader('content-type', 'audio/aac').end(songs.segment(Number(number), sound));
    else if (existsSync(file))
      response
        .setHeader('content-type', url.endsWith('.m3u8') ? PLAYLIST : 'video/mp2t')
        .end(readFileSync(file));
    else response.writeHead(404).end();
  };
}

/** What was on air when a segment began stays in that segment, whoever asked for it or not. */
class SongsOnAir {
  readonly #file: string;
  readonly #songs: { from: number; song: HlsSong }[] = [];
  constructor(folder: string) {
    this.#file = songFile(folder);
  }

  playlist(): string {
    const newest = segmentAt(Date.now()) - 1;
    const numbers = Array.from({ length: LISTED }, (_item, index) => newest - LISTED + 1 + index);
    const lines = numbers.flatMap((number) => [`#EXTINF:${SEGMENT_SECONDS},`, `songs-${number}.aac`]);
    const head = ['#EXTM3U', '#EXT-X-VERSION:3', '#EXT-X-TARGETDURATION:2'];
    return `${[...head, `#EXT-X-MEDIA-SEQUENCE:${numbers[0]}`, ...lines].join('\n')}\n`;
  }

  segment(number: number, sound: Buffer): Buffer {
    this.#look();
    const onAir = this.#songs.findLast(({ from }) => from <= number);
    return Buffer.concat([songTag(number * SEGMENT_SECONDS, onAir?.song), sound]);
  }

  #look(): void {
    if (!existsSync(this.#file)) return;
    const from = segmentAt(statSync(this.#file).mtimeMs);
    if (this.#songs.at(-1)?.from === from) return;
    this.#songs.push({ from, song: JSON.parse(readFileSync(this.#file, 'utf8')) });
  }
}

const segmentAt = (ms: number): number => Math.floor(ms / 1000 / SEGMENT_SECONDS);

function oneSegment(): Buffer {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000', '-ac', '2', '-c:a', 'aac'];
  const args = ['-nostdin', '-loglevel', 'error', ...tone, '-b:a', '64k', '-frames:a', `${FRAMES}`];
  return execFileSync('ffmpeg', [...args, '-f', 'adts', '-']);
}
