import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { addPartner } from '../../../src/core/accounts/partners/partners.ts';
import { fetchPackage } from './npm-package.ts';
import { register } from '../register.ts';
import { serveHouse } from '../../house/served-house.ts';
import { addTidalStories, TIDAL_STORIES } from '../tidal-stories.ts';

const HARNESS = join(import.meta.dirname, 'drive-node-tunein-radio.ts');

type Outline = Record<string, string> & { children?: Outline[] };
interface Answer {
  head: { title?: string; status: string; fault?: string };
  body: Outline[];
}

/** Made for this house and gone with it. */
const LISTENER = { username: 'Aoife', password: 'low-tide-7' };

test('node-tunein-radio makes every call it has', async (t) => {
  await using served = await serveHouse(async (pool) => {
    await addPartner(pool, { id: 'client-test', name: 'A client in a test' });
    await addTidalStories(pool);
  });
  await register(served, { partnerId: 'client-test', ...LISTENER });
  const saving = { c: 'add', partnerId: 'client-test', ...LISTENER, id: 's3' };
  assert.match(await served.post('/Preset.ashx', saving), /<status>200</);
  const { username, password } = LISTENER;
  const args = [HARNESS, fetchPackage('node-tunein-radio', '0.3.4'), TIDAL_STORIES, username, password];
  const env = { NODE_EXTRA_CA_CERTS: served.authorityFile };
  const answers: Record<string, Answer> = JSON.parse(await served.house.run(process.execPath, args, { env }));

  const check = (name: string, title: string | undefined, look: (body: Outline[]) => void): Promise<void> =>
    t.test(name, () => {
      const answer = answers[name];
      assert.equal(answer?.head?.status, '200', JSON.stringify(answer));
      assert.equal(answer.head.title, title);
      look(answer.body);
    });

  await check('browse', 'Browse', (body) => {
    const keys = ['local', 'talk', 'sports', 'music', 'location', 'language', 'podcast', 'presets'];
    assert.deepEqual(
      body.map(({ key }) => key),
      keys,
    );
    isLink(body);
  });
  await check('local', 'Local Radio', ([group]) => isStation(group?.children?.[0]));
  await check('music', 'Music', isLink);
  await check('talk', 'Talk', isLink);
  await check('sports', 'Sports', isLink);
  await check('locations', 'By Location', (body) => {
    isLink(body);
    assert.equal(body[0]?.['text'], 'Africa');
  });
  await check('langs', 'By Language', isLink);
  await check('podcast', 'Podcasts', ([talk]) => {
    assert.equal(talk?.['text'], 'Talk');
    isLink(talk.children ?? []);
  });
  await check('popular', 'Trending', ([first]) => isStation(first));
  await check('best', undefined, ([first]) => isStation(first));
  await check('search', 'Search Results: harbour folk', (body) => {
    const found = body.flatMap((line) => line.children ?? [line]);
    assert.equal(found[0]?.['guide_id'], 's1');
    isStation(found[0]);
  });
  await check('show', answers['show']?.head?.title, ([topics]) => {
    assert.deepEqual(
      topics?.children?.map(({ text, item, type }) => [text, item, type]),
      [
        ['High Water', 'topic', 'audio'],
        ['Low Water', 'topic', 'audio'],
      ],
    );
  });
  await check('tune', undefined, ([stream]) => {
    assert.equal(stream?.['element'], 'audio');
    assert.equal(stream['url'], 'http://stream.example.net/harbourfolk-128.mp3');
    assert.equal(stream['media_type'], 'mp3');
    assert.match(stream['guide_id'] ?? '', /^e\d+$/);
  });
  await check('describe', answers['describe']?.head?.title, ([station]) => {
    assert.equal(station?.['element'], 'station');
    assert.equal(station['name'], 'Harbour Folk');
    assert.match(station['logo'] ?? '', /^http/);
  });
  await check('nowplaying', answers['nowplaying']?.head?.title, ([station, ...more]) => {
    assert.equal(station?.['key'], 'station');
    assert.equal(station['text'], 'Harbour Folk');
    assert.ok(more.length > 0, 'there is a second line');
  });
  await check('unknown', answers['unknown']?.head?.title, (body) => assert.deepEqual(body, []));
  await check('authenticate', answers['authenticate']?.head?.title, (body) => {
    assert.equal(body.length, 3);
    assert.match(body[0]?.['AccountId'] ?? '', /^\d+$/);
  });
  await check('presets', answers['presets']?.head?.title, ([first, ...more]) => {
    isStation(first);
    assert.equal(first?.['guide_id'], 's3');
    assert.deepEqual(more, []);
  });
  await t.test('a wrong password, which it is told of', () =>
    assert.equal(answers['wrongPassword']?.head?.status, '401'),
  );
  await t.test('refused, in a document that the client hands on', () => {
    assert.equal(answers['refused']?.head?.status, '404');
    assert.match(answers['refused'].head.fault ?? '', /./);
  });
});

function isLink([first]: Outline[]): void {
  assert.equal(first?.['type'], 'link');
  assert.match(
    first['URL'] ?? '',
    /^https?:\/\/opml\.radiotime\.com\/Browse\.ashx\?.*&partnerId=client-test\b/,
  );
}

function isStation(outline: Outline | undefined): void {
  assert.equal(outline?.['element'], 'outline');
  assert.equal(outline['type'], 'audio');
  assert.equal(outline['item'], 'station');
}
