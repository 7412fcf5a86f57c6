import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveHouse } from '../../house/served-house.ts';

const HARNESS = join(import.meta.dirname, 'drive-node-tunein.ts');
const MODULE = '/usr/share/nodejs/node-tunein/tunein.js';
const JAZZ = 'g1240';

interface Outline {
  text: string;
  guide_id?: string;
  children?: Outline[];
}
interface Answers {
  keys: string[];
  index: { body: Outline[] };
  music: { body: Outline[] };
  genre: { body: Outline[] };
  found: { body: Outline[] };
}

const all = ({ body }: { body: Outline[] }): Outline[] => body.flatMap((line) => line.children ?? [line]);

test('node-tunein browses and searches by plain HTTP, without naming itself', async () => {
  await using served = await serveHouse();
  const args = [HARNESS, MODULE, JAZZ, 'lantern jazz'];
  const { keys, music, genre, found }: Answers = JSON.parse(await served.house.run(process.execPath, args));
  assert.deepEqual(keys.slice(0, 4), ['local', 'talk', 'sports', 'music']);
  assert.ok(music.body.some(({ guide_id }) => guide_id === JAZZ));
  assert.ok(all(genre).some(({ text }) => text.startsWith('Lantern Jazz')));
  assert.equal(all(found)[0]?.guide_id, 's3');
});
