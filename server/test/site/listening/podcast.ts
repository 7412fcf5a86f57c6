import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { addFeeds } from '../../../src/storage/catalog/feeds/feeds.ts';
import { addFeed } from '../../apps/apps-app.ts';
import { waitFor, waitUntil } from '../../time/wait-until.ts';
import { fillSite } from '../browser/fill-site.ts';
import { type OpenSite, openSite } from '../browser/open-site.ts';

const MAIN = join(import.meta.dirname, '../../../src/main.ts');
/** An address of the internet, as the reader of feeds wants it; in this house all of them are at home, without name servers. */
const ADDRESS = '93.184.216.34';
const HOST = 'stream.example.net';
const HOSTS = `127.0.0.1 localhost opml.radiotime.com\n${ADDRESS} ${HOST}\n`;
const FOLDER = 'podcast';

export const TALES = {
  id: 'p201',
  number: 201,
  name: 'Tales of the Quay',
  feed: `http://${ADDRESS}/tales.xml`,
};
export const OTHER = { id: 'p101', name: 'The Morning Boat', feed: `http://${ADDRESS}/other.xml` };

export interface Episode {
  title: string;
  /** Of its sound; there is a file of each length. */
  seconds: 2 | 90;
}

/** The site with a podcast whose feed is read by the worker, and whose episodes are really there. */
export interface PodcastSite extends OpenSite {
  /** The feed has these episodes from now on, the newest last; returns when the directory has read them. */
  publish(episodes: readonly Episode[]): Promise<void>;
}

export async function openPodcast(env: NodeJS.ProcessEnv): Promise<PodcastSite> {
  const { promise: filled, resolve } = Promise.withResolvers<Pool>();
  const fill = async (pool: Pool): Promise<void> => {
    await pool.query("INSERT INTO shows (id, title, hosts) VALUES ($1, $2, 'Nora Lane')", [
      TALES.number,
      TALES.name,
    ]);
    await fillSite(pool);
    await addFeed(pool, TALES.number, TALES.feed);
    await addFeed(pool, 101, OTHER.feed);
    resolve(pool);
  };
  const site = await openSite(fill, {
    env,
    house: { isInternet: true, files: { '/etc/hosts': HOSTS } },
    browser: 'chromium',
  });
  const { house, databaseUrl: DATABASE_URL } = site.served;
  const folder = join(house.folder, FOLDER);
  mkdirSync(folder);
  for (const seconds of [2, 90]) {
    const tone = `sine=frequency=440:duration=${seconds}`;
    const file = join(folder, `${seconds}.mp3`);
    await house.run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', tone, '-b:a', '64k', file]);
  }
  const serve = [join(import.meta.dirname, 'serve-podcast.ts'), folder, ADDRESS];
  const host = house.start(process.execPath, serve);
  await waitFor(host, 'the host of the podcast', async () => host.said().includes('open') || undefined);
  const worker = house.start(process.execPath, [MAIN, 'work'], { env: { DATABASE_URL, WORK_PORT: '0' } });
  await waitFor(worker, 'longwave work', async () => worker.said().includes('"working"') || undefined);
  const pool = await filled;
  return {
    ...site,
    async publish(episodes) {
      writeFileSync(join(folder, 'tales.xml'), feedOf(episodes));
      await addFeeds(pool, [TALES.number]);
      await pool.query('UPDATE feeds SET next_due_at = now() WHERE show_id = $1', [TALES.number]);
      await waitUntil(`${episodes.length} episodes in the directory`, async () => {
        const { rows } = await pool.query('SELECT FROM topics WHERE show_id = $1', [TALES.number]);
        return rows.length === episodes.length || undefined;
      });
    },
  };
}

/** A day apart, up to today. */
const feedOf = (episodes: readonly Episode[]): string => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
  <title>${TALES.name}</title><description>Told at the harbour wall.</description><language>en</language>
  ${episodes.map(itemOf).join('\n')}
</channel></rss>`;

function itemOf({ title, seconds }: Episode, at: number): string {
  const published = new Date(Date.now() - (9 - at) * 86_400_000).toUTCString();
  const address = `http://${HOST}/${seconds}.mp3?${at}`;
  return `<item><title>${title}</title><guid isPermaLink="false">tale-${at}</guid><pubDate>${published}</pubDate>
    <itunes:duration>${seconds}</itunes:duration><enclosure url="${address}" type="audio/mpeg" length="16000"/></item>`;
}
