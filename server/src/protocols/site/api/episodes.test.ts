import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type SiteApp, siteApp, Visitor } from '../../../../test/apps/site-app.ts';

const TOPICS = `INSERT INTO topics (show_id, id, shard, title, address, topic_key, duration_seconds, published_at)
  SELECT s, n * 1024 + s, s, 'Part ' || n || ' of ' || s, 'http://stream.example.net/' || s || '-' || n,
    md5(s || '-' || n)::uuid, CASE WHEN n < 8 THEN 60 * n END,
    timestamptz '2026-03-01T06:00:00Z' + n * interval '1 day' + s * interval '1 hour'
  FROM generate_series(1, 3) AS s CROSS JOIN generate_series(1, 8) AS n`;

let site: SiteApp;
before(async () => {
  site = await siteApp();
  await site.database.pool.query(TOPICS);
});
after(() => site?.[Symbol.asyncDispose]());

const episodesOf = async (shows: string) => (await new Visitor(site).get(`episodes?shows=${shows}`)).episodes;

test('the latest five episodes of each show are one list, the latest first', async () => {
  const episodes = await episodesOf('p1,p2,p1,p4,p999999');
  assert.deepEqual(
    episodes.map(({ name }: { name: string }) => name),
    [8, 7, 6, 5, 4].flatMap((n) => [`Part ${n} of 2`, `Part ${n} of 1`]),
  );
  assert.deepEqual(episodes.slice(0, 3), [
    {
      guideId: 't8194',
      name: 'Part 8 of 2',
      showId: 'p2',
      show: 'Show 2',
      seconds: null,
      publishedAt: '2026-03-09T08:00:00Z',
    },
    {
      guideId: 't8193',
      name: 'Part 8 of 1',
      showId: 'p1',
      show: 'Show 1',
      seconds: null,
      publishedAt: '2026-03-09T07:00:00Z',
    },
    {
      guideId: 't7170',
      name: 'Part 7 of 2',
      showId: 'p2',
      show: 'Show 2',
      seconds: 420,
      publishedAt: '2026-03-08T08:00:00Z',
    },
  ]);
  assert.deepEqual(await episodesOf(''), []);
});

test('what is no show, and more shows than a call may name, are refused by name', async () => {
  const many = Array.from({ length: 101 }, (_, at) => `p${at + 1}`);
  assert.equal((await episodesOf(many.slice(0, 100).join(','))).length, 15);
  for (const shows of [many.join(','), 's1', 'p1,nonsense', "p1';--"]) {
    const { status, json } = await new Visitor(site).ask(
      'GET',
      `episodes?shows=${encodeURIComponent(shows)}`,
    );
    assert.deepEqual([status, json.error.code, json.error.field], [400, 'site.invalid', 'shows'], shows);
  }
});
