import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { test } from 'node:test';
import { readRadioBrowserApi } from './read-api.ts';

interface FakeApi extends AsyncDisposable {
  url: string;
  asked: string[];
}

/** A radio-browser server with some stations, on loopback; it fails the call with this number. */
async function startApi(stations: number, failingCall = -1): Promise<FakeApi> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (asked.length === failingCall) {
      response.writeHead(503).end();
      return;
    }
    const { searchParams } = new URL(request.url ?? '', 'http://x');
    const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)));
    const page = Array.from({ length: stations }, (_item, index) => ({
      stationuuid: `u${index}`,
      name: `S${index}`,
    }));
    response.end(JSON.stringify(page.slice(offset, offset! + limit!)));
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
  for await (const item of readRadioBrowserApi(url, 10))
    records.push('record' in item ? item.record.record : 'refused');
  return records;
}

test('all pages are read, in a fixed order, and the last one ends it', async () => {
  await using api = await startApi(25);
  const records = await recordsOf(api.url);
  assert.deepEqual([records.length, records[0], records.at(-1)], [25, 'u0', 'u24']);
  assert.deepEqual(
    api.asked.map((url) => new URL(url, 'http://x').search),
    [0, 10, 20].map((offset) => `?order=stationuuid&offset=${offset}&limit=10`),
  );
});

test('a page that fails is asked for again, and none is read twice', async () => {
  await using api = await startApi(15, 2);
  const records = await recordsOf(api.url);
  assert.equal(new Set(records).size, 15);
  assert.equal(records.length, 15);
});
