/**
 * The baseline of a crawl: the farm's feeds fetched and parsed in one process with nothing around it. Reads all feeds
 * once for each line on its input, conditionally from the second time on, and prints what that took.
 */
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Agent, errors } from 'undici';
import { FeedError } from '../../src/formats/feed/feed.ts';
import { parseFeed } from '../../src/formats/feed/parse-feed.ts';
import { FETCH_LIMITS } from '../../src/net/fetch/fetch-safely.ts';
import { feedAddress, ipOfName } from '../../test/feed-farm/hosts.ts';
import type { Pass } from './pass.ts';

const [feeds = 0, port = 0, concurrency = 0] = process.argv.slice(2).map(Number);
const agent = new Agent({
  connections: 2,
  connect: {
    lookup: (name, _options, done) => done(null, [{ address: ipOfName(name) ?? '', family: 4 }]),
  },
});
const known = new Map<number, Record<string, string>>();
let parseMs = 0;

createInterface({ input: process.stdin }).on('line', () => {
  void pass().then((told) => console.log(JSON.stringify(told)));
});

async function pass(): Promise<Pass> {
  parseMs = 0;
  const cpu = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  const takeTurns = async (): Promise<void> => {
    while (next < feeds) {
      const number = next;
      next += 1;
      await read(number);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, takeTurns));
  const { user, system } = process.cpuUsage(cpu);
  return { feeds, wallMs: performance.now() - started, cpuMs: (user + system) / 1000, parseMs };
}

async function read(number: number): Promise<void> {
  const { status, headers, body } = await ask(feedAddress(number, { feeds, port }), known.get(number) ?? {});
  if (status !== 200) return;
  known.set(number, validators(headers));
  const text = headers['content-encoding'] === 'gzip' ? await unpacked(body) : body;
  const started = performance.now();
  try {
    parseFeed(text);
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
  }
  parseMs += performance.now() - started;
}

/** The same size limit as the crawl. */
const unpacked = (body: Buffer): Promise<Buffer> =>
  promisify(gunzip)(body, { maxOutputLength: FETCH_LIMITS.maxBytes }).catch(() => Buffer.alloc(0));

type Headers = Record<string, string | string[] | undefined>;

async function ask(
  address: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Headers; body: Buffer }> {
  const { origin, pathname } = new URL(address);
  const answer = await request({ origin, path: pathname, method: 'GET', headers });
  const body = Buffer.from(await answer.body.arrayBuffer());
  const { location } = answer.headers;
  if (typeof location === 'string') return ask(location, headers);
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** A reused connection may be closed by the other side just as it is used again. */
async function request(asked: Parameters<Agent['request']>[0]): ReturnType<Agent['request']> {
  try {
    return await agent.request(asked);
  } catch (error) {
    if (error instanceof errors.SocketError) return agent.request(asked);
    throw error;
  }
}

function validators({ etag, 'last-modified': date }: Headers): Record<string, string> {
  return {
    ...(typeof etag === 'string' && { 'if-none-match': etag }),
    ...(typeof date === 'string' && { 'if-modified-since': date }),
  };
}
