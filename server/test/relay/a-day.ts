/**
 * Hours of listening in fast time: stations that hang up every minute or so, are away or fall silent, change songs; radios that come
 * and go, at a relay with a connection for each and at one that shares them. Prints what is left over.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectGarbage } from '../processes/collect-garbage.ts';
import { portOf } from '../servers/port-of.ts';
import { framesFrom } from './numbered-frames.ts';
import { openTestRelay, type Studio, type TestRelay } from './test-relay.ts';

export interface Day {
  hours: number;
  radios: number;
  /** Calls that stations got. */
  calls: number;
  heardBytes: number;
  /** After the first part, and at the end, when all have left. */
  quiet: { memoryBytes: number; sockets: number; timers: number }[];
  /** Most connections to stations over what the relay says it has, where that lasted. */
  surplus: number;
  unhandled: string[];
}

const hours = Number(process.argv[2] ?? 1);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const STATIONS = 3;
const RADIOS = 8;
/** Of sound; every station sends the same. */
const SOUND = framesFrom(1, 42);
const METAINT = SOUND.length;
const AAC_FRAME = Buffer.alloc(107, 1);
AAC_FRAME.set([0xff, 0xf1, 0x4c, 0x80, 107 >> 3, ((107 & 7) << 5) | 0x1f, 0xfc]);
const SEGMENT = Buffer.concat(Array.from({ length: 6 * 47 }, () => AAC_FRAME));

const day: Day = { hours, radios: 0, calls: 0, heardBytes: 0, quiet: [], surplus: 0, unhandled: [] };
process.on('unhandledRejection', (error) => day.unhandled.push(String(error)));
process.on('warning', (warning) => day.unhandled.push(String(warning)));
const some = (least: number, most: number): number => least + Math.random() * (most - least);

/** A second of sound, then a title, for a minute or so; then one of the things that stations do. */
function broadcast(socket: Socket): void {
  day.calls += 1;
  const kind = Math.random();
  if (kind < 0.1) return void socket.end('HTTP/1.0 404 Not Found\r\n\r\n');
  socket.write(`HTTP/1.0 200 OK\r\nContent-Type: audio/mpeg\r\nicy-metaint: ${METAINT}\r\n\r\n`);
  const startMs = performance.now();
  const endMs = some(20 * SECOND, 100 * SECOND);
  let sent = 0;
  const timer = setInterval(() => {
    const ms = performance.now() - startMs;
    if (ms > endMs) {
      clearInterval(timer);
      // It hangs up, in the middle of a frame, or only stops.
      if (kind < 0.8) socket.end(SOUND.subarray(0, 100));
      return;
    }
    for (; sent < 4 + ms / SECOND; sent += 1)
      socket.write(Buffer.concat([SOUND, titleAt(performance.now())]));
  }, 500);
  socket.on('close', () => clearInterval(timer));
}

/** Another song every three minutes. */
function titleAt(ms: number): Buffer {
  const text = Buffer.from(`StreamTitle='Song ${Math.floor(ms / (3 * MINUTE))}';`.padEnd(32, '\0'));
  return Buffer.concat([Buffer.of(2), text]);
}

async function serveHls(): Promise<string> {
  const server = createServer((request, response): void => {
    response.setHeader('connection', 'close');
    if (!request.url?.endsWith('m3u8')) return void response.end(SEGMENT);
    day.calls += 1;
    if (Math.random() < 0.05) return void response.writeHead(503).end();
    const first = Math.floor(performance.now() / (6 * SECOND));
    const lines = Array.from({ length: 6 }, (_none, n) => `#EXTINF:6,\n${first + n}.aac`);
    response.end(
      ['#EXTM3U', '#EXT-X-TARGETDURATION:6', `#EXT-X-MEDIA-SEQUENCE:${first}`, ...lines, ''].join('\n'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}/live.m3u8`;
}

/** Calls again and again until the time is over, as people do. */
async function listenOn(relay: TestRelay, ids: readonly number[], untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const id = ids[Math.floor(Math.random() * ids.length)]!;
    const headers = Math.random() < 0.5 ? 'Icy-MetaData: 1\r\n' : '';
    using radio = relay.radio(id, { keeps: false, headers });
    day.radios += 1;
    await Promise.race([
      radio.ended,
      sleep(Math.min(some(MINUTE, 20 * MINUTE), untilMs - performance.now())),
    ]);
    day.heardBytes += radio.bytes;
    radio.socket.destroy();
    await sleep(some(0, MINUTE));
  }
}

/** What a relay says of its connections is true, or is a moment later. */
async function watch(relay: TestRelay, studios: readonly Studio[], untilMs: number): Promise<void> {
  while (performance.now() < untilMs) {
    const surplus = async (): Promise<number> =>
      studios.reduce((sum, { sockets }) => sum + sockets.size, 0) - (await relay.gauge('relay_streams'));
    let least = await surplus();
    for (let tries = 0; least > 0 && tries < 50; tries += 1) {
      await sleep(SECOND);
      least = Math.min(least, await surplus());
    }
    day.surplus = Math.max(day.surplus, least);
    await sleep(2 * MINUTE);
  }
}

const hls = await serveHls();
const relays = await Promise.all([false, true].map((isShared) => openTestRelay({ isShared, tickMs: 400 })));
const towns = await Promise.all(
  relays.map(async (relay) => {
    const studios = await Promise.all(Array.from({ length: STATIONS }, () => relay.studio(broadcast)));
    return { relay, studios, ids: [...studios.map(({ id }) => id), relay.list(hls)] };
  }),
);

for (const share of [1 / 4, 3 / 4]) {
  const untilMs = performance.now() + share * hours * 60 * MINUTE;
  await Promise.all(
    towns.flatMap(({ relay, studios, ids }) => [
      watch(relay, studios, untilMs),
      ...Array.from({ length: RADIOS }, () => listenOn(relay, ids, untilMs)),
    ]),
  );
  for (const { relay } of towns) await relay.untilNobodyListens();
  for (const { relay } of towns)
    for (let tries = 0; tries < 1000 && (await relay.gauge('relay_streams')) > 0; tries += 1)
      await sleep(10 * SECOND);
  // What was closed is let go of a moment later.
  await sleep(5 * MINUTE);
  collectGarbage();
  await sleep(5 * MINUTE);
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const open = process.getActiveResourcesInfo();
  day.quiet.push({
    memoryBytes: heapUsed + arrayBuffers,
    sockets: open.filter((kind) => kind === 'TCPSocketWrap').length,
    timers: open.filter((kind) => kind === 'Timeout').length,
  });
}
process.stdout.write(JSON.stringify(day));
process.exit(0);
