import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { test } from 'node:test';
import { readRadioBrowserApi } from './read-api.ts';

interface FakeApi extends AsyncDisposable {
  url: string;
  asked: string[];
}

interface Served {
  /** What the server has when it is asked for the n-th time. */
  stations: (call: number) => string[];
  failingCall?: number;
  hasPages?: boolean;
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_item, index) => `u${index}`);

/** A radio-browser server with some stations, on loopback; it fails the call with this number. */
async function startApi({ stations, failingCall = -1, hasPages = true }: Served): Promise<FakeApi> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (asked.length === failingCall) {
      response.writeHead(503).end();
      return;
    }
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
    const all = stations(asked.length).map((stationuuid) => ({ stationuuid, name: `S ${stationuuid}` }));
    response.end(JSON.stringify(hasPages ? all.slice(offset, offset! + limit!) : all));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function recordsOf(url: string): Promise<string[]> {
  const records: string[] = [];
  for await (const item of readRadioBrowserApi(url, { pageSize: 10, overlap: 3 }))
    records.push('record' in item ? item.record.record : 'refused');
  return records;
}

test('all pages are read, in an order that servers have, and the last one ends it', async () => {
  await using api = await startApi({ stations: () => numbered(23) });
  assert.deepEqual(await recordsOf(api.url), numbered(23));
  assert.deepEqual(
    api.asked.map((url) => new URL(url, 'http://x').search),
    [0, 7, 14].map((offset) => `?order=url&offset=${offset}&limit=10`),
  );
});

test('none is missed or read twice while others come and go between pages', async () => {
  const before = numbered(30);
  const without = before.filter((id) => !['u1', 'u4', 'u6'].includes(id));
  const later = ['new1', 'new2', ...without];
  await using api = await startApi({ stations: (call) => [before, without, without][call - 1] ?? later });
  assert.deepEqual(await recordsOf(api.url), before);
});

test('a page that fails is asked for again, and none is read twice', async () => {
  await using api = await startApi({ stations: () => numbered(15), failingCall: 2 });
  assert.deepEqual(await recordsOf(api.url), numbered(15));
});

test('a server that always sends all stations is asked once more', async () => {
  await using api = await startApi({ stations: () => numbered(25), hasPages: false });
  assert.deepEqual(await recordsOf(api.url), numbered(25));
  assert.equal(api.asked.length, 2);
});
