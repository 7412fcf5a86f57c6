/**
 * Many radios at once: connects to the addresses of a file, half of them with titles, hears for some seconds, and prints who was
 * hung up on, the longest silence of any, and what titles were read.
 */
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { IcySplitter } from '../../src/formats/icy/icy-splitter.ts';
import { METAINT } from '../../src/formats/icy/join-titles.ts';

export interface HeardByMany {
  listeners: number;
  /** Answered with sound at all. */
  playing: number;
  closed: number;
  /** Neither hung up on nor sent anything for ten seconds. */
  hanging: number;
  longestSilenceMs: number;
  /** Different ones: a unit that is cut wrongly is read as a title of noise. */
  titles: string[];
}

const [, , file = '', seconds = '10'] = process.argv;
const addresses = readFileSync(file, 'utf8').trim().split('\n');
/** Faster, and a queue of connections overflows. */
const EACH_MS = 4;

const titles = new Set<string>();
const radios = addresses.map((address, n) => new URL(address, `http://radio${n}`)).map(tuneIn);
let isOver = false;

function tuneIn({ hostname, port, pathname }: URL, n: number) {
  const wantsTitles = n % 2 === 1;
  const radio = { bytes: 0, closed: false, lastMs: 0, longestMs: 0 };
  const splitter = wantsTitles ? new IcySplitter(METAINT) : undefined;
  setTimeout(() => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${pathname} HTTP/1.0\r\n${wantsTitles ? 'Icy-MetaData: 1\r\n' : ''}\r\n`),
    );
    let isHead = true;
    socket.on('data', (piece: Buffer) => {
      const now = performance.now();
      if (radio.lastMs > 0) radio.longestMs = Math.max(radio.longestMs, now - radio.lastMs);
      radio.lastMs = now;
      const body = isHead ? piece.subarray(piece.indexOf('\r\n\r\n') + 4) : piece;
      isHead = false;
      radio.bytes += body.length;
      for (const title of splitter?.push(body).titles ?? []) titles.add(title);
    });
    socket.on('error', () => undefined).on('close', () => (radio.closed = !isOver));
  }, n * EACH_MS);
  return radio;
}

await sleep(addresses.length * EACH_MS + Number(seconds) * 1000);
isOver = true;
const now = performance.now();
console.log(
  JSON.stringify({
    listeners: radios.length,
    playing: radios.filter(({ bytes }) => bytes > 0).length,
    closed: radios.filter(({ closed }) => closed).length,
    hanging: radios.filter(({ closed, lastMs }) => !closed && now - lastMs > 10_000).length,
    longestSilenceMs: Math.round(
      Math.max(...radios.map(({ longestMs, lastMs }) => Math.max(longestMs, now - lastMs))),
    ),
    titles: [...titles],
  } satisfies HeardByMany),
);
process.exit(0);
