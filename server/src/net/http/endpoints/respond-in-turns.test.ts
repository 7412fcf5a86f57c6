import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { portOf } from '../../../../test/servers/port-of.ts';
import { respondInTurns } from './respond-in-turns.ts';

const LONG = 5000;
const piece = (index: number): string => `${index} ${'é'.repeat(200)}\n`;

function* pieces(count: number, onMade: (index: number) => void = () => undefined): Generator<string> {
  for (let index = 0; index < count; index += 1) {
    onMade(index);
    yield piece(index);
  }
}

interface Served extends AsyncDisposable {
  ask(method?: string, headers?: Record<string, string>): Promise<IncomingMessage>;
  /** What came of each answer, in the order they ended. */
  outcomes: Promise<unknown>[];
}

async function serve(make: () => Iterable<string>): Promise<Served> {
  const outcomes: Promise<unknown>[] = [];
  const server = createServer((asked, response) => {
    const reply = { status: 200, contentType: 'application/json', lifetime: {}, pieces: make() };
    const outcome = respondInTurns(asked, response, reply);
    outcomes.push(outcome.catch((error: unknown) => error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    outcomes,
    async ask(method = 'GET', headers = {}) {
      const call = request({ port: portOf(server), host: '127.0.0.1', method, headers, agent: false }).end();
      const [response]: IncomingMessage[] = await once(call, 'response');
      return response ?? assert.fail();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

test('a short answer has its length, a long one comes in chunks, and both are whole', async () => {
  for (const [count, isLong] of [
    [2, false],
    [LONG, true],
  ] as const) {
    await using served = await serve(() => pieces(count));
    const response = await served.ask();
    assert.equal(response.headers['content-length'] === undefined, isLong);
    assert.equal(await text(response), [...pieces(count)].join(''));
  }
});

test('who reads gzip gets it, and HEAD the headers alone', async () => {
  await using served = await serve(() => pieces(LONG));
  const response = await served.ask('GET', { 'accept-encoding': 'gzip' });
  assert.equal(response.headers['content-encoding'], 'gzip');
  const bytes = Buffer.concat(await response.toArray());
  assert.equal(gunzipSync(bytes).toString(), [...pieces(LONG)].join(''));
  const head = await served.ask('HEAD');
  assert.equal(await text(head), '');
});

test('no more is made than is read, and nothing more when the reader goes', async () => {
  let made = 0;
  const max = 200_000;
  await using served = await serve(() => pieces(max, (index) => (made = index)));
  const response = await served.ask();
  await once(response, 'readable');
  await new Promise((resolve) => setTimeout(resolve, 300));
  const madeBefore = made;
  assert.ok(madeBefore < max / 4, `${madeBefore} pieces were made for a reader who took none`);
  response.destroy();
  assert.equal(await served.outcomes[0], undefined);
  assert.ok(made < max / 4, `${made} pieces`);
});

test('a piece that cannot be made ends the connection, so that half a list is not taken for all of it', async () => {
  await using served = await serve(function* () {
    yield* pieces(LONG);
    throw new RangeError('no such piece');
  });
  const response = await served.ask();
  await assert.rejects(text(response));
  assert.match(String(await served.outcomes[0]), /no such piece/);
});

test('of many long answers one has its turn, and then everything else', async () => {
  let made = 0;
  let maxAtOnce = 0;
  const look = (): void => {
    maxAtOnce = Math.max(maxAtOnce, made);
    made = 0;
    timer = setImmediate(look);
  };
  let timer = setImmediate(look);
  await using served = await serve(() => pieces(LONG, () => (made += 1)));
  const texts = Array.from({ length: 8 }, async () => text(await served.ask()));
  await Promise.all(texts);
  clearImmediate(timer);
  const inATurn = (64 * 1024) / piece(0).length;
  assert.ok(maxAtOnce <= 3 * inATurn, `${maxAtOnce} pieces without a pause, of ${inATurn} in a turn`);
});
