import type { Pool } from 'pg';
import { addPartner } from '../../src/core/accounts/partners/partners.ts';
import { addShow, addTopic } from '../database/catalogue/add-show.ts';

/** What the seeded directory has beside its stations, for tests of the whole service. */
export interface SeededShows {
  showIds: number[];
  topicIds: number[];
  presetIds: number[];
  partnerId: string;
  username: string;
}

const SHARD = 7;
const presetIds = [5, 6, 7].map((serial) => serial * 1024 + SHARD);

/** Shows with topics, of which every other one is on air now; a partner; an account with presets; an alias. */
export async function seedShows(pool: Pool, count = 6): Promise<SeededShows> {
  const showIds: number[] = [];
  const topicIds: number[] = [];
  for (let n = 1; n <= count; n += 1) {
    const showId = must(await addShow(pool, { title: `Show ${n} & friends`, genreId: 1000, popularity: n }));
    showIds.push(showId);
    topicIds.push(...(await seedTopics(pool, showId)));
    if (n % 2 === 0) await seedBroadcasts(pool, showId, n);
  }
  await addPartner(pool, { id: 'demo', name: 'Demo' });
  await seedAccount(pool, showIds);
  return { showIds, topicIds, presetIds, partnerId: 'demo', username: 'ann' };
}

async function seedTopics(pool: Pool, showId: number): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 1; n <= 3; n += 1) {
    const id = await addTopic(pool, {
      showId,
      key: `00000000-0000-4000-8000-${String(showId * 100 + n).padStart(12, '0')}`,
      title: `Part ${n} of <${showId}>`,
      address: `http://topics.example.net/${showId}/${n}.mp3?a=1&b=2`,
      publishedAt: Temporal.Instant.from('2026-01-09T12:00:00Z').subtract({ hours: 24 * n }),
      durationSeconds: 600 * n,
    });
    ids.push(must(id));
  }
  return ids;
}

const seedBroadcasts = (pool: Pool, showId: number, offset: number): Promise<unknown> =>
  pool.query(
    `INSERT INTO broadcasts (show_id, station_id, starts_at, ends_at)
     SELECT $1, id, now() - interval '10 minutes', now() + interval '10 hours' FROM stations ORDER BY id OFFSET $2 LIMIT 2`,
    [showId, offset],
  );

const seedAccount = (pool: Pool, showIds: readonly number[]): Promise<unknown> =>
  pool.query(`
    INSERT INTO accounts (id, username, password_hash, latitude, longitude, zone)
      VALUES (${SHARD}, 'Ann', 'x', 51.9, -8.47, 'Europe/Dublin');
    INSERT INTO usernames VALUES ('ann', ${SHARD});
    INSERT INTO folders (account_id, id, name, is_default, position) VALUES (${SHARD}, 1031, 'Favorites', true, 1);
    INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, address, label) VALUES
      (${SHARD}, ${presetIds[0]}, 1031, 1, 'u', ${presetIds[0]}, 'http://mine.example.net/live', 'Mine'),
      (${SHARD}, ${presetIds[1]}, 1031, 2, 's', 1, NULL, NULL),
      (${SHARD}, ${presetIds[2]}, 1031, 3, 'p', ${showIds[0]}, NULL, NULL);
    INSERT INTO aliases (scheme, foreign_id, kind, item_id) VALUES ('elsewhere', 's2220000', 's', 1)`);

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the seed is there already');
  return value;
}
