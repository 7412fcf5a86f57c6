/** A station for the bench: 128 kbit/s of MP3 in blocks of 1,400 bytes, by HTTP and HTTPS, and HLS and AAC that ffmpeg made. */
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { join } from 'node:path';
import { portOf } from '../../test/servers/port-of.ts';
import { once } from 'node:events';

const [, , folder = ''] = process.argv;
const BLOCK_BYTES = 1400;
const BYTES_PER_SECOND = 16_000;
const SEGMENT_SECONDS = 6;
const WINDOW = 4;

/** MPEG 1 Layer 3, 128 kbit/s at 48 kHz: frames of 384 bytes. */
const FRAME = Buffer.alloc(384, 1);
FRAME.set([0xff, 0xfb, 0x94, 0xc0]);
const SOUND = Buffer.concat(Array.from({ length: 1000 }, () => FRAME));

const AAC_SECONDS = 300;
const AAC = readFileSync(join(folder, 'sound.aac'));

const listeners = new Set<{ response: ServerResponse; at: number }>();
const segments = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ts')).length : 0;
const began = Date.now();

const answer: RequestListener = (request, response) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (path.endsWith('.m3u8')) response.end(playlist());
  else if (path.endsWith('.ts')) createReadStream(join(folder, path.slice(1))).pipe(response);
  else if (path.endsWith('.aac')) sendAac(response);
  else addListener(response);
};

function addListener(response: ServerResponse): void {
  // As Icecast does.
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'icy-name': 'Bench' });
  const listener = { response, at: 0 };
  listeners.add(listener);
  response.on('close', () => listeners.delete(listener));
}

/** 96 kbit/s, over and over. */
function sendAac(response: ServerResponse): void {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { 'content-type': 'audio/aac' });
  const startMs = performance.now();
  let sent = 0;
  const sending = setInterval(() => {
    const due = ((performance.now() - startMs) / 1000) * (AAC.length / AAC_SECONDS) + BLOCK_BYTES;
    for (; sent < due; sent += BLOCK_BYTES) {
      const at = sent % AAC.length;
      response.write(AAC.subarray(at, at + BLOCK_BYTES));
      sent -= Math.max(0, at + BLOCK_BYTES - AAC.length);
    }
  }, 100);
  response.on('close', () => clearInterval(sending));
}

/** The newest segments of what began when this process did. */
function playlist(): string {
  const newest = Math.min(segments, WINDOW + Math.floor((Date.now() - began) / 1000 / SEGMENT_SECONDS));
  const first = Math.max(0, newest - WINDOW);
  const lines = Array.from({ length: newest - first }, (_none, n) => `#EXTINF:6.0,\nsegment${first + n}.ts`);
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:3',
    '#EXT-X-TARGETDURATION:6',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...lines,
    '',
  ].join('\n');
}

setInterval(
  () => {
    for (const listener of listeners) {
      const at = listener.at % (SOUND.length - BLOCK_BYTES);
      if (listener.response.writableLength < 100_000)
        listener.response.write(SOUND.subarray(at, at + BLOCK_BYTES));
      // Whole frames follow each other without end, wherever a block begins.
      listener.at = (at + BLOCK_BYTES) % FRAME.length;
    }
  },
  (1000 * BLOCK_BYTES) / BYTES_PER_SECOND,
);

const plain = createServer(answer).listen(0, '127.0.0.1');
const tls = { key: readFileSync(join(folder, 'key')), cert: readFileSync(join(folder, 'cert')) };
const secure = createSecure(tls, answer).listen(0, '127.0.0.1');
await Promise.all([once(plain, 'listening'), once(secure, 'listening')]);
console.log(JSON.stringify({ port: portOf(plain), securePort: portOf(secure) }));
