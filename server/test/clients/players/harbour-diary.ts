import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { parseFeed } from '../../../src/formats/feed/parse-feed.ts';
import { saveFeed } from '../../../src/core/feeds/save-feed.ts';
import type { House } from '../../house/house.ts';
import { waitFor } from '../../time/wait-until.ts';
import { addShow } from '../../database/catalogue/add-show.ts';

/** Beside Icecast, which has port 80. */
const FILES = 'http://stream.example.net:8000';
const FEED = `${FILES}/diary.xml`;
/** Drama, old-time radio and audiobooks. */
const STORYTELLING = 2065;
/** More than a menu of a show holds. */
const DAYS = 60;
const SECONDS = 6;

/** A show as its feed tells it, with a topic for each of sixty days. */
export async function addHarbourDiary(pool: Pool): Promise<void> {
  const feed = { address: FEED, key: '00000000-0000-4000-8000-000000000001' };
  const id = await addShow(pool, { title: 'Harbour Diary', genreId: STORYTELLING, popularity: 20, feed });
  if (id === undefined) throw new Error('the show is there already');
  const now = Temporal.Instant.from('2026-10-01T12:00:00Z');
  await saveFeed(pool, id, parseFeed(Buffer.from(feedText()), FEED), now);
}

const feedText = (): string =>
  `<rss version="2.0"><channel><title>Harbour Diary</title>${Array.from(
    { length: DAYS },
    (_none, n) =>
      `<item><title>Day ${DAYS - n}</title><guid>day-${DAYS - n}</guid>
       <pubDate>${new Date(Date.UTC(2026, 8, 30) - n * 86_400_000).toUTCString()}</pubDate>
       <enclosure url="${FILES}/day.mp3" type="audio/mpeg" length="1"/></item>`,
  ).join('')}</channel></rss>`;

/** Serves the sound of every day: a tone of a few seconds, as a file. It ends with the house. */
export async function serveDays(house: House): Promise<void> {
  const folder = join(house.folder, 'days');
  mkdirSync(folder);
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${SECONDS}`];
  const sound = ['-c:a', 'libmp3lame', '-b:a', '64k', join(folder, 'day.mp3')];
  await house.run('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone, ...sound]);
  const args = ['-m', 'http.server', '8000', '--bind', '127.0.0.2', '--directory', folder];
  const server = house.start('python3', args);
  await waitFor(server, 'the file server', () => house.run('curl', ['-fsSI', '-m', '5', `${FILES}/day.mp3`]));
}
