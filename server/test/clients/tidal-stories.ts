import type { Pool } from 'pg';
import { addShow, addTopic } from '../database/catalogue/add-show.ts';

export const TIDAL_STORIES = 'p1';
/** Drama, old-time radio and audiobooks. */
const STORYTELLING = 2065;

/** A show with two topics, for clients that go that far. */
export async function addTidalStories(pool: Pool): Promise<void> {
  const show = { title: 'Tidal Stories', hosts: 'Aoife Tide', genreId: STORYTELLING, popularity: 10 };
  const showId = await addShow(pool, show);
  if (`p${showId}` !== TIDAL_STORIES) throw new Error(`the show is p${showId}, not ${TIDAL_STORIES}`);
  for (const [index, title] of ['Low Water', 'High Water'].entries()) {
    await addTopic(pool, {
      showId: 1,
      key: String(index).padStart(32, '0'),
      title,
      address: `http://stream.example.net/tidal-stories-${index}.mp3`,
      publishedAt: Temporal.Instant.from('2026-10-01T06:00:00Z').add({ hours: index }),
      format: 'mp3',
      durationSeconds: 1800,
    });
  }
}
