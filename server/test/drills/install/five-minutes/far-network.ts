/**
 * The internet as a house sees it in a drill: a resolver at the router's address that leads every name to one address, and
 * a web server that has there a list of stations and a station on air.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import { startNameServer } from '../../../servers/name-server.ts';

const [, , router = '', far = '', folder = ''] = process.argv;
const tone = readFileSync(join(folder, 'tone.mp3'));
/** 128 kbit/s. */
const BYTES_PER_SECOND = 16_000;
const TICK_MS = 100;
/** What a listener is given at once, as Icecast does, so that a player need not wait for its buffer to fill. */
const BURST_BYTES = 4 * BYTES_PER_SECOND;

await startNameServer((_name, kind) => (kind === 'A' ? [far] : []), 53, router);

createServer(({ url = '' }, response) => {
  if (url === '/stations.jsonl.gz') {
    response.writeHead(200, { 'content-type': 'application/gzip' });
    createReadStream(join(folder, 'stations.jsonl.gz')).pipe(response);
    return;
  }
  if (url !== '/five.mp3') {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'icy-name': 'Five Minute Radio', 'icy-br': '128' });
  let at = 0;
  const send = (bytes: number): void => {
    for (let left = bytes; left > 0;) {
      const part = tone.subarray(at, at + left);
      response.write(part);
      left -= part.length;
      at = (at + part.length) % tone.length;
    }
  };
  send(BURST_BYTES);
  const ticking = setInterval(send, TICK_MS, (BYTES_PER_SECOND * TICK_MS) / 1000);
  response.on('close', () => clearInterval(ticking));
  response.on('error', () => clearInterval(ticking));
}).listen(80, far, () => console.log('serving'));
