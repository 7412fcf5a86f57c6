/** The servers of the town that no real program plays: run in a house, with its folder as the only argument. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { startNameServer } from '../servers/name-server.ts';
import { type Host, addressesOf, ipOf } from './hosts.ts';
import { answerLists, answerMoved, answerTrouble } from './pages.ts';
import { answerHls } from './serve-hls.ts';
import type { TownCertificates } from './town.ts';

const [, , folder = ''] = process.argv;
const certificates: TownCertificates = JSON.parse(readFileSync(join(folder, 'certificates.json'), 'utf8'));

async function serve(host: Host, answer: RequestListener): Promise<void> {
  const server = createServer(answer).listen(80, ipOf(host));
  await once(server, 'listening');
}

/** Hands what it hears on port 443 to whoever is asked for on port 80. */
async function serveSecurely(host: 'secure' | 'forged', behind: Host): Promise<void> {
  const server = createTlsServer(certificates[host], (near) => {
    const far = connect(80, ipOf(behind));
    tie(near, far);
    tie(far, near);
  }).listen(443, ipOf(host));
  await once(server, 'listening');
}

function tie(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => to.destroy());
}

await startNameServer((name) => addressesOf(name), 53);
await serve('lists', answerLists);
await serve('moved', answerMoved);
await serve('trouble', answerTrouble);
await serve('hls', await answerHls(folder));
await serveSecurely('secure', 'icecast');
await serveSecurely('forged', 'icecast');
console.log('open');
