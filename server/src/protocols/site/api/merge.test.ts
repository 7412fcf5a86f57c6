import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SiteApp, type Visitor, member, siteApp } from '../../../../test/apps/site-app.ts';

let site: SiteApp;
before(async () => {
  site = await siteApp();
});
after(() => site[Symbol.asyncDispose]());

interface Folder {
  name: string;
  presets: { guideId: string }[];
}

const idsOf = (folders: readonly Folder[]): string[][] =>
  folders.map(({ presets }) => presets.map(({ guideId }) => guideId));
const merge = (visitor: Visitor, ...guideIds: string[]) =>
  visitor.send('POST', 'presets/merge', { guideIds });

test('what was saved in a browser comes after the presets that are there, in its order', async () => {
  const visitor = await member(site, 'Merger');
  await visitor.send('POST', 'presets', { guideId: 's7' }, 201);
  const { added, left, folders } = await merge(visitor, 's3', 'p2', 's1');
  assert.deepEqual({ added, left }, { added: 3, left: [] });
  assert.deepEqual(idsOf(folders), [['s7', 's3', 'p2', 's1']]);
  assert.deepEqual(idsOf((await visitor.get('presets')).folders), [['s7', 's3', 'p2', 's1']]);
});

test('nothing is there twice: not in another folder, not sent again, not from two pages at once', async () => {
  const visitor = await member(site, 'Twice');
  const { id: folderId } = await visitor.send('POST', 'folders', { name: 'Kitchen' }, 201);
  await visitor.send('POST', 'presets', { guideId: 's2', folderId }, 201);
  const answers = await Promise.all([
    merge(visitor, 's1', 's2', 's1', 's4'),
    merge(visitor, 's1', 's2', 's4'),
  ]);
  assert.equal(answers[0].added + answers[1].added, 2);
  assert.deepEqual(idsOf((await merge(visitor, 's4', 's1')).folders), [['s1', 's4'], ['s2']]);
});

test('an id from elsewhere leads to its station, and what is gone is left out', async () => {
  const visitor = await member(site, 'Foreign');
  const { added, left, folders } = await merge(visitor, 's424242', 's999999', 'nonsense', 's3');
  assert.deepEqual({ added, left, ids: idsOf(folders) }, { added: 1, left: [], ids: [['s3']] });
});

test('what there is no room for is named, so that the browser keeps it', async () => {
  const visitor = await member(site, 'Full');
  const text = ['#EXTM3U', ...Array.from({ length: 499 }, (_, n) => `http://own.example/${n}`)].join('\n');
  await visitor.send('POST', 'presets/import', { text, confirm: true });
  const { added, left } = await merge(visitor, 's1', 's2', 's3');
  assert.deepEqual({ added, left }, { added: 1, left: ['s2', 's3'] });
});
