/** The farm as a process: a door for each host on loopback, and a control where it is asked and told what goes on. */
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { answerTo } from './answers.ts';
import { Connections } from './connections.ts';
import { hostCount } from './hosts.ts';
import { Ledger, type Report } from './ledger.ts';
import { listening, openHosts } from './open-hosts.ts';

const [feeds = 0, least = 0, most = 0, stuckMs = 0] = process.argv.slice(2).map(Number);
const ledger = new Ledger();
const farm = createHttpServer(answer);
const port = await openHosts(hostCount(feeds), (host, socket) => {
  connections.opened(host, socket);
  farm.emit('connection', socket);
});
const connections = new Connections(port);
const control = createHttpServer((request, response) => {
  if (request.method === 'POST') ledger.nextRound();
  response.end(JSON.stringify(report()));
});
const controlPort = await listening(control, 0, '127.0.0.1');
console.log(JSON.stringify({ port, controlPort }));
// Whoever started the farm holds the other end, and closes it by ending.
process.stdin.resume().once('close', () => process.exit());

function report(): Report {
  const { round, requests } = ledger;
  const { total, most: mostAtOnce, mostAt } = connections;
  return { round, connections: total, mostAtOnce, mostAt, requests };
}

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  const [, place, digits = ''] = url.split('/');
  const number = Number(digits);
  const hasMoved = place === 'moved';
  const [etag, since] = [headers['if-none-match'], headers['if-modified-since']];
  const given = answerTo(
    { number, round: ledger.round, hasMoved, etag, since },
    { feeds, port, slowMs: [least, most], stuckMs },
  );
  const request = { status: 0, isConditional: (etag ?? since) !== undefined, hasMoved };
  ledger.note(number, request);
  const later = setTimeout(() => {
    request.status = given.status;
    response
      .writeHead(given.status, { ...given.headers, 'content-length': given.body.length })
      .end(given.body);
  }, given.afterMs);
  response.once('close', () => clearTimeout(later));
}
