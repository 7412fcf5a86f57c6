import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { waitUntil } from '../../time/wait-until.ts';
import { seededDatabase, type TestDatabase } from '../../database/database.ts';
import { startEdge } from '../../servers/edge-nginx.ts';
import { startHaproxy } from '../../servers/haproxy.ts';
import { startNginx } from '../../servers/nginx.ts';
import { type ServiceProcess, startService } from '../../processes/service-process.ts';
import { startLenientProxy } from './smuggling/lenient-proxy.ts';
import { target } from './smuggling/messages.ts';
import { FOLLOW_UPS, listPairs, type Pair, sendPair, type Sent } from './smuggling/pairs.ts';

const EDGE_KEY = 'a key for drills, which protects nobody';
/** Pairs under way at the same moment, over connections of their own to the proxy, which share those to the service. */
const AT_ONCE = 8;

let database: TestDatabase;
let service: ServiceProcess;
before(async () => {
  database = await seededDatabase();
  service = await startService(database.url, {
    EDGE_KEY,
    LOG_LEVEL: 'debug',
    PARTNERS: 'any',
    PUBLIC_HOSTS: 'radio.example',
    TRUSTED_PROXIES: '127.0.0.1',
  });
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const servicePort = (): number => Number(new URL(service.origin).port);

const REFUSALS = new Set([400, 405, 413, 417, 422, 501]);

/** What is wrong with how a pair was answered: each in its turn, refused, or hung up on, and what is hidden by nobody. */
function findFlaw({ ids }: Pair, { answers, other }: Sent): string | undefined {
  const said = answers.map(({ id, status }) => id ?? `HTTP ${status}`).join(', ') || 'nothing';
  if (answers.some(({ id }) => id === ids.hidden)) return `the hidden request is answered: ${said}`;
  if (other.map(({ id }) => id).join() !== ids.other)
    return `another caller got ${other.map(({ id, status }) => id ?? status).join(', ') || 'nothing'}`;
  const inTurn = answers.every(({ id, status }, n) => {
    // A body that is no form is refused by the protocol, in an answer without a name.
    if (REFUSALS.has(status) || (n === 0 && status === 200 && id === undefined)) return true;
    return id !== undefined && id === [ids.own, ids.next][n];
  });
  return inTurn && answers.length > 0 ? undefined : `answered out of turn: ${said}`;
}

interface Seen {
  flaws: string[];
  answered: number;
  refused: number;
  hidden: number;
}

let rounds = 0;

async function sendAll(t: TestContext, port: number): Promise<Seen> {
  rounds += 1;
  const pairs = listPairs(`r${rounds}`);
  assert.ok(pairs.length >= 200);
  const seen: Seen = { flaws: [], answered: 0, refused: 0, hidden: 0 };
  const waiting = [...pairs];
  const work = async (): Promise<void> => {
    for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
      const sent = await sendPair(port, pair);
      const flaw = findFlaw(pair, sent);
      if (flaw !== undefined) seen.flaws.push(`${pair.name}: ${flaw}`);
      if (sent.answers.some(({ id }) => id === pair.ids.next)) seen.answered += 1;
      else seen.refused += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Also where nobody was told its answer.
  const asked = await readLog(`r${rounds}last`);
  const hidden = pairs.filter(({ ids }) => asked.has(ids.hidden));
  for (const { name } of hidden) seen.flaws.push(`${name}: the service was asked what was hidden`);
  seen.hidden = hidden.length;
  t.diagnostic(
    `${pairs.length} pairs of ${pairs.length / FOLLOW_UPS.length} messages: ${seen.answered} answered, ${seen.refused} refused or hung up on, ${seen.hidden} hidden requests seen`,
  );
  return seen;
}

/** Who has called the service so far; its log is written a second late, so somebody calls last. */
async function readLog(last: string): Promise<Set<string | undefined>> {
  await (await fetch(service.origin + target(last))).text();
  return waitUntil('the log', async () => {
    const callers = new Set(service.log.map((line) => /"partner":"(\w+)"/.exec(line)?.[1]));
    return callers.has(last) ? callers : undefined;
  });
}

const PROXIES: Record<string, () => Promise<AsyncDisposable & { port: number }>> = {
  'nginx as a proxy': async () => {
    const nginx = await startNginx([servicePort()]);
    return Object.assign(nginx, { port: Number(new URL(nginx.origin).port) });
  },
  'nginx as the edge': () => startEdge(service, EDGE_KEY),
  HAProxy: () => startHaproxy(servicePort()),
};

for (const [name, start] of Object.entries(PROXIES))
  test(`${name} and the service agree where each request ends`, async (t) => {
    await using proxy = await start();
    const { flaws, answered, refused } = await sendAll(t, proxy.port);
    assert.deepEqual(flaws, []);
    assert.ok(answered > 0 && refused > 0, 'some were read, some were not');
  });

test('the control: a proxy that reads leniently lets hidden requests through', async (t) => {
  await using proxy = await startLenientProxy(servicePort());
  const { flaws, hidden } = await sendAll(t, proxy.port);
  assert.ok(hidden > 20, `${hidden} hidden requests were seen`);
  assert.ok(flaws.some((flaw) => flaw.endsWith('the service was asked what was hidden')));
  assert.ok(flaws.some((flaw) => flaw.includes('the hidden request is answered')));
});
