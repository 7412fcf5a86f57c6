import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DirectoryClient } from '../../../client/src/client.ts';
import { waitUntil } from '../../../scripts/services/service.ts';
import { runLongwave } from '../processes/run-longwave.ts';
import { type Service, startService } from './service.ts';

let service: Service;
let key: string;
before(async () => {
  service = await startService({ STATION_BATCH: '0' });
  [key = ''] = station('key', 's3').split('\n');
});
after(() => service[Symbol.asyncDispose]());

const station = (...args: string[]): string =>
  runLongwave(['station', ...args], { DATABASE_URL: service.databaseUrl }).stdout;

const client = (): DirectoryClient => new DirectoryClient({ baseUrl: service.origin });

async function push(form: Record<string, string>): Promise<string> {
  const body = new URLSearchParams({ partnerKey: key, id: 's3', ...form });
  return (await fetch(`${service.secureOrigin}/Playing.ashx`, { method: 'POST', body })).text();
}

test('a song that a studio sends is on radios, in search, in the list of what was played and on pages', async () => {
  const watching = new AbortController();
  const page = await fetch(`${service.origin}/listen/api/playing?ids=s3`, { signal: watching.signal });
  const reader = (page.body ?? assert.fail()).getReader();
  let seen = '';
  const read = async (): Promise<boolean> => {
    const { value } = await reader.read();
    seen += Buffer.from(value ?? []).toString();
    return seen.includes('First Light');
  };
  assert.match(await push({ title: 'First Light', artist: 'The Duo', album: 'Quay' }), /<status>200</);
  await waitUntil('the page to be told', read);
  assert.match(
    seen,
    /"song":null[^]*event: playing\ndata: \{"id":"s3","song":\{"text":"The Duo - First Light"/,
  );
  const radio = client();
  const lines = await radio.describe.nowPlaying('s3');
  assert.ok(lines.some(({ text, key: kind }) => kind === 'song' && text === 'The Duo - First Light'));
  assert.equal((await radio.describe.item('s3'))?.fields['current_song'], 'First Light');
  const found = await radio.search.bySong('first light');
  assert.deepEqual(
    found.outlines.map(({ guideId, subtext }) => [guideId, subtext]),
    [['s3', 'The Duo - First Light']],
  );
  assert.equal((await radio.search.byArtist('duo')).outlines[0]?.guideId, 's3');
  for (const format of ['xml', 'json'] as const) {
    const popular = await fetch(`${service.origin}/Browse.ashx?c=popular&render=${format}`);
    assert.match(await popular.text(), /[ ,]"?playing"?[=:]"The Duo - First Light"/);
  }
  const [played] = (await radio.browse.playlist('s3')).outlines;
  assert.deepEqual([played?.text, played?.subtext], ['First Light', 'The Duo']);
  await push({ commercial: 'true' });
  assert.equal((await radio.search.bySong('first light')).outlines[0]?.type, 'text');
  watching.abort();
});

test('a dropped key opens nothing within seconds', async () => {
  const [, line = ''] = station('keys', 's3').split('\n');
  assert.match(station('drop-key', 's3', line.slice(0, 8)), /is no longer valid/);
  await waitUntil('the key to be forgotten', async () =>
    (await push({ title: 'x' })).includes('partner.keyInvalid'),
  );
});
