import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { ask, linksOf } from '../../../../test/apps/browse-app.ts';
import { testApp } from '../../../../test/apps/http-server.ts';
import { seededDirectory, type SeededDirectory } from '../../../../test/content/seeded-directory.ts';
import { addShow, addTopic } from '../../../../test/database/catalogue/add-show.ts';
import { ManualClock } from '../../../../test/time/manual-clock.ts';
import { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { browseEndpoints } from '../browse/browse.ts';
import { announcements } from './announcements.ts';
import { tune } from './tune.ts';

const NOW = Temporal.Instant.from('2026-01-09T12:00:00Z');

let seeded: SeededDirectory;
let app: FastifyInstance;
before(async () => {
  seeded = await seededDirectory();
  const { directory, database } = seeded;
  const clock = new ManualClock(NOW.toString());
  const deps = { directory, db: database.pool, aliases: new Aliases(database.pool), clock };
  app = testApp([...browseEndpoints(deps), tune(deps), ...announcements()], { clock }).app;
});
after(async () => {
  await app.close();
  await seeded[Symbol.asyncDispose]();
});

const newShow = async (title: string): Promise<number> =>
  (await addShow(seeded.database.pool, { title })) ?? assert.fail();

/** The newest first. */
async function addTopics(showId: number, formats: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [at, format] of formats.entries()) {
    const id = await addTopic(seeded.database.pool, {
      showId,
      key: `00000000-0000-4000-8000-${String(showId * 1000 + at).padStart(12, '0')}`,
      title: `Part in ${format}`,
      address: `http://topics.example.net/part.${format}`,
      publishedAt: NOW.subtract({ hours: 24 * (at + 1) }),
      format,
    });
    ids.push(id ?? assert.fail());
  }
  return ids;
}

test('a show is its newest topic that the caller plays, as lists that show it promise', async () => {
  const show = await newShow('In Two Formats');
  await addTopics(show, ['aac', 'mp3']);
  const tuned = (more = ''): Promise<string> => ask(app, `/Tune.ashx?id=p${show}${more}`);
  assert.equal(await tuned('&formats=mp3'), 'http://topics.example.net/part.mp3\n');
  assert.equal(await tuned('&formats=mp3,aac'), 'http://topics.example.net/part.aac\n');
  assert.equal(await tuned(), 'http://topics.example.net/part.aac\n');
  assert.equal(await tuned('&formats=ogg'), 'http://radio.test/service/Audio/notcompatible.enUS.mp3\n');
});

test('a show that its feed takes off the lists is tuned by the schedule, without its topics', async () => {
  const show = await newShow('Blocked by Its Feed');
  const [topic] = await addTopics(show, ['mp3']);
  const { pool } = seeded.database;
  const station = seeded.directory.current().stations.find(({ name }) => name === 'Harbour Folk')?.id;
  await pool.query('UPDATE shows SET listed = false WHERE id = $1', [show]);
  await pool.query(
    `INSERT INTO broadcasts (show_id, station_id, starts_at, ends_at)
     VALUES ($1, $2, $3::timestamptz - interval '10 minutes', $3::timestamptz + interval '20 minutes')`,
    [show, station, NOW.toString()],
  );
  const [link = ''] = linksOf(
    await ask(app, `/Browse.ashx?c=schedule&id=s${station}&forward=true&live=true`),
  );
  assert.match(link, new RegExp(`^/Tune\\.ashx\\?.*id=p${show}`));
  const menu = await ask(app, link);
  assert.match(menu, new RegExp(` key="liveShow">\\n<outline type="audio"[^\\n]* guide_id="s${station}"`));
  assert.doesNotMatch(menu, /item="topic"/);
  assert.match(await ask(app, `/Tune.ashx?id=p${show}`), /harbourfolk/);
  assert.equal(await ask(app, `/Tune.ashx?id=t${topic}`), '#STATUS: 400\n');
});
