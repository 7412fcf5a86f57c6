import type { Pool, PoolClient } from 'pg';
import type { ScaleDatabase } from './database.ts';
import type { World } from './world.ts';

/** How much is loaded, and whether the tables were vacuumed after it. */
export interface Progress {
  shows: number;
  topics: number;
  isTidy: boolean;
}

/** Stored in the database itself and written with each batch, so that it is correct after a load that was killed. */
export async function readProgress({ name, pool, world }: ScaleDatabase): Promise<Progress> {
  await pool.query(`CREATE TABLE IF NOT EXISTS scale_progress (
    world_shows bigint NOT NULL, world_topics bigint NOT NULL, shows bigint NOT NULL DEFAULT 0,
    topics bigint NOT NULL DEFAULT 0, is_tidy boolean NOT NULL DEFAULT false)`);
  await pool.query(
    `INSERT INTO scale_progress (world_shows, world_topics) SELECT $1, $2
     WHERE NOT EXISTS (SELECT FROM scale_progress)`,
    [world.shows, world.topics],
  );
  const { rows } = await pool.query('SELECT * FROM scale_progress');
  const { world_shows, world_topics, shows, topics, is_tidy: isTidy } = rows[0];
  if (world_shows !== world.shows || world_topics !== world.topics) {
    throw new Error(
      `${name} is for ${world_shows} shows and ${world_topics} topics; use these sizes, choose another --name, or drop it with --remove`,
    );
  }
  return { shows, topics, isTidy };
}

export async function noteProgress(client: PoolClient, { shows, topics }: World): Promise<void> {
  await client.query('UPDATE scale_progress SET shows = $1, topics = $2', [shows, topics]);
}

export async function noteTidy(pool: Pool): Promise<void> {
  await pool.query('UPDATE scale_progress SET is_tidy = true');
}
