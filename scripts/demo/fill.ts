import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Feed } from '../../server/src/formats/feed/feed.ts';
import { importSchedule } from '../../server/src/import/sources/schedule/import-schedule.ts';
import { saveFeed } from '../../server/src/core/feeds/save-feed.ts';
import { systemClock } from '../../server/src/lib/clock.ts';
import { FICTION, type FictionalStation } from './fiction/fiction.ts';

export interface FoundStation extends FictionalStation {
  id: number;
}

/** The fictional stations with more than streams that are in the directory. */
export async function findFictional(pool: Pool): Promise<FoundStation[]> {
  const { rows } = await pool.query<{ id: number; homepage: string }>(
    'SELECT min(id) AS id, homepage FROM stations WHERE homepage = ANY ($1) GROUP BY homepage',
    [FICTION.map(({ homepage }) => homepage)],
  );
  const ids = new Map(rows.map(({ homepage, id }) => [homepage, id]));
  return FICTION.flatMap((station) => {
    const id = ids.get(station.homepage);
    return id === undefined ? [] : [{ ...station, id }];
  });
}

/**
 * Gives the fictional stations their weekly schedules, beginning today, and their shows the topics; running it again
 * updates them.
 */
export async function fillFiction(pool: Pool): Promise<void> {
  for (const { id, week, shows } of await findFictional(pool)) {
    const bytes = createReadStream(join(import.meta.dirname, 'fiction', week));
    await importSchedule({ pool, bytes, now: systemClock.now(), stationId: id });
    for (const [title, topics] of Object.entries(shows)) await fillShow(pool, id, title, topics);
  }
}

async function fillShow(
  pool: Pool,
  stationId: number,
  title: string,
  topics: readonly string[],
): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(
    `SELECT min(show_id) AS id FROM broadcasts JOIN shows ON shows.id = show_id
     WHERE station_id = $1 AND title = $2`,
    [stationId, title],
  );
  const id = rows[0]?.id;
  if (!id)
    throw new Error(
      `'${title}' is not in the weekly schedule of s${stationId}; the names in scripts/demo/fiction must match`,
    );
  await saveFeed(pool, id, feedOf(title, topics));
  // No such feed exists, so that it must not be fetched.
  await pool.query('UPDATE feeds SET gone_at = now() WHERE show_id = $1', [id]);
}

/** A fixed date for the newest, so that a second start changes nothing. */
const NEWEST = Temporal.Instant.from('2026-01-05T06:00:00Z');
const LENGTH_SECONDS = 1500;

function feedOf(title: string, topics: readonly string[]): Feed {
  const name = title.toLowerCase().replaceAll(' ', '-');
  return {
    title,
    description: `${title}, to be heard again. It is made up, like its station.`,
    language: 'en',
    hosts: [],
    categories: [],
    blocked: false,
    items: topics.map((topic, at) => ({
      guid: `${name}-${topics.length - at}`,
      title: topic,
      address: `http://stream.example.net/topics/${name}-${topics.length - at}.mp3`,
      type: 'audio/mpeg',
      durationSeconds: LENGTH_SECONDS + 137 * at,
      published: NEWEST.subtract({ hours: at * 7 * 24 }),
    })),
  };
}
