import { type Directory, openDirectory } from '../../src/core/directory/directory.ts';
import { Aliases } from '../../src/core/directory/lookup/by-any-id.ts';
import { createLog } from '../../src/lib/log.ts';
import type { TestDatabase } from '../database/database.ts';
import { seededDirectory } from './seeded-directory.ts';
import { ManualClock } from '../time/manual-clock.ts';

/** The moment at which `PROGRAMME` is looked at: a Wednesday in summer. */
export const NOW = '2026-07-15T08:35:00Z';
export const FULL_SHOW = 'p90020';
export const BARE_SHOW = 'p90021';
export const FULL_TOPIC = `t${7 * 1024 + (90020 % 1024)}`;
export const BARE_TOPIC = `t${8 * 1024 + (90020 % 1024)}`;

/** One station of which all is known and one of which nothing is; two shows and two topics alike; a network; an alias. */
const PROGRAMME = `
UPDATE stations SET slogan = 'News & "views"', call_sign = 'TOWN', description = 'All that happens in town.',
  frequency = '97.9', band = 'FM', latitude = 51.45, longitude = -2.59 WHERE name = 'Town FM 97.9';
UPDATE stations SET homepage = NULL, country_id = NULL, region_id = NULL, zone = NULL, latitude = NULL, longitude = NULL
WHERE name = 'Longwave Test Tone';
DELETE FROM station_genres WHERE station_id = (SELECT id FROM stations WHERE name = 'Longwave Test Tone');
DELETE FROM station_languages WHERE station_id = (SELECT id FROM stations WHERE name = 'Longwave Test Tone');
INSERT INTO affiliates (id, name, name_key) VALUES (5, 'Coast Network', 'coast network');
INSERT INTO station_affiliates (station_id, affiliate_id) SELECT id, 5 FROM stations WHERE name = 'Town FM 97.9';
INSERT INTO shows (id, title, hosts, description, homepage, language_id, genre_id, country_id, popularity)
SELECT 90020, 'Morning Desk', 'Ann Host', 'What the day brings.', 'http://desk.example.net/', l.id, g.id, c.id, 9
FROM languages AS l, genres AS g, countries AS c WHERE l.code = 'en' AND g.slug = 'news' AND c.code = 'GB';
INSERT INTO shows (id, title) VALUES (90021, 'Untold');
INSERT INTO shows (id, title, genre_id) SELECT 90022, 'Evening Desk', genre_id FROM shows WHERE id = 90020;
INSERT INTO shows (id, title, listed) VALUES (90023, 'Hidden', false);
INSERT INTO topics (show_id, id, shard, title, description, address, topic_key, format, duration_seconds, published_at)
VALUES (90020, ${FULL_TOPIC.slice(1)}, 90020 & 1023, 'The Harbour Vote', 'Who won, and why.',
  'http://media.example.net/vote.mp3?a=1&b=2', gen_random_uuid(), 'mp3', 1830, '2026-07-14T10:00:00Z'),
  (90020, ${BARE_TOPIC.slice(1)}, 90020 & 1023, 'Untold', NULL, 'http://media.example.net/untold', gen_random_uuid(), NULL,
  NULL, '2026-07-13T10:00:00Z');
INSERT INTO broadcasts (station_id, starts_at, ends_at, show_id)
SELECT s.id, slot.starts_at, slot.ends_at, slot.show_id FROM stations AS s,
  (VALUES (timestamptz '2026-07-15T07:00:00Z', timestamptz '2026-07-15T09:00:00Z', 90020),
    ('2026-07-15T17:00:00Z', '2026-07-15T18:30:00Z', 90022)) AS slot (starts_at, ends_at, show_id)
WHERE s.name = 'Town FM 97.9';
INSERT INTO aliases (scheme, foreign_id, kind, item_id)
SELECT 'elsewhere', 's990001', 's', id FROM stations WHERE name = 'Town FM 97.9'
UNION ALL SELECT 'radio-browser', 'aba58c69-3bdf-54d4-903e-31d421c073f7', 's', id FROM stations WHERE name = 'Harbour Folk';
`;

export interface DescribedDirectory extends AsyncDisposable {
  database: TestDatabase;
  directory: Directory;
  aliases: Aliases;
  /** Stands at `NOW`. */
  clock: ManualClock;
  idOf: (name: string) => string;
}

/** The seeded directory with a programme, a network and an alias in it. */
export async function describedDirectory(): Promise<DescribedDirectory> {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await seededDirectory());
  const { pool, url } = database;
  await pool.query(PROGRAMME);
  const log = createLog({ level: 'silent' });
  const directory = opened.use(await openDirectory({ pool, databaseUrl: url, log }));
  const kept = opened.move();
  return {
    database,
    directory,
    aliases: new Aliases(pool),
    clock: new ManualClock(NOW),
    idOf: (name) => `s${directory.current().stations.find((station) => station.name === name)?.id}`,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
