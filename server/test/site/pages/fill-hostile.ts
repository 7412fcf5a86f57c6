import { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { saveFeed } from '../../../src/core/feeds/save-feed.ts';
import { parseFeed } from '../../../src/formats/feed/parse-feed.ts';
import { importStations } from '../../../src/import/pipeline/import-stations.ts';
import { readRadioBrowser } from '../../../src/import/sources/radio-browser/record.ts';
import { uuidOf } from '../../../src/lib/ids.ts';
import { bumpCatalogue } from '../../../src/storage/catalog/stations/version.ts';
import { transaction } from '../../../src/storage/db/transaction.ts';
import { fillSite } from '../browser/fill-site.ts';
import { HOSTILE_WORD, hostileText } from './hostile-texts.ts';
import { addShow } from '../../database/catalogue/add-show.ts';

const STATIONS = 300;
const SHOWS = 40;
const TOPICS_EACH = 4;
/** Names of stations, titles of shows and of topics: the texts of feeds and stations beside them are more. */
export const HOSTILE_COUNT = STATIONS + SHOWS + SHOWS * TOPICS_EACH;
const FOLK = 1310;

/**
 * Five hundred names and titles that would rather be a program. What is imported has lost its tags; so that the pages
 * are tried and not the import, it is put back as it was.
 */
export async function fillHostile(pool: Pool): Promise<void> {
  await fillSite(pool);
  const lines = Array.from({ length: STATIONS }, (_none, n) =>
    Buffer.from(`${JSON.stringify(stationOf(n))}\n`),
  );
  await importStations({ pool, source: 'hostile', items: readRadioBrowser(Readable.from(lines)) });
  for (let n = STATIONS; n < STATIONS + SHOWS; n += 1) await addHostileShow(pool, n);
  await reschedule(pool, 'stations', ['name', 'slogan', 'description']);
  await reschedule(pool, 'shows', ['title', 'hosts', 'description']);
  await reschedule(pool, 'topics', ['title', 'description']);
  await transaction(pool, bumpCatalogue);
}

/** By the number that is in its name. */
async function reschedule(pool: Pool, table: string, columns: readonly string[]): Promise<void> {
  const [name] = columns;
  const { rows } = await pool.query<{ id: string; name: string }>(
    `SELECT id, ${name} AS name FROM ${table} WHERE ${name} LIKE '${HOSTILE_WORD} %'`,
  );
  const texts = rows.map((row) => hostileText(Number(/\d+/.exec(row.name)?.[0])));
  const changes = columns.map((column) => `${column} = text`).join(', ');
  await pool.query(
    `UPDATE ${table} SET ${changes} FROM unnest($1::int8[], $2::text[]) AS given (number, text) WHERE id = number`,
    [rows.map(({ id }) => id), texts],
  );
}

const stationOf = (number: number) => ({
  id: uuidOf(`hostile ${number}`),
  id_src: 'derived',
  name: `${HOSTILE_WORD} ${number}`,
  url: `http://stream.example.net/hostile-${number}.mp3?"><script>alert(${number})</script>`,
  homepage:
    number % 2 === 0 ? `javascript:alert(${number})` : `http://h.example.net/"onclick="alert(${number})`,
  favicon: `javascript:alert(${number})`,
  countrycode: 'IE',
  city: 'Cork',
  languages: ['en'],
  tags: ['folk', hostileText(number)],
  codec: 'MP3',
  bitrate: 64,
  hls: 0,
  votes: 5,
  lastcheckok: 1,
});

async function addHostileShow(pool: Pool, number: number): Promise<void> {
  const feed = { address: `http://stream.example.net/${number}.xml`, key: uuidOf(`feed ${number}`) };
  const title = `${HOSTILE_WORD} ${number}`;
  const id = await addShow(pool, { title, genreId: FOLK, popularity: 1, feed });
  if (id === undefined) throw new Error('the show is there already');
  const text = Buffer.from(feedOf(number));
  await saveFeed(pool, id, parseFeed(text, feed.address), Temporal.Now.instant());
}

function feedOf(number: number): string {
  const items = Array.from({ length: TOPICS_EACH }, (_none, at) => {
    const count = number * TOPICS_EACH + at;
    const text = cdata(hostileText(count));
    return `<item><title>${HOSTILE_WORD} ${count}</title><guid>${number}-${at}</guid><description>${text}</description>
      <link>javascript:alert(1)</link><pubDate>Thu, 01 Oct 2026 0${at}:00:00 GMT</pubDate>
      <enclosure url="http://stream.example.net/${number}-${at}.mp3" type="audio/mpeg" length="1"/></item>`;
  });
  const text = cdata(hostileText(number));
  return `<rss version="2.0"><channel><title>${HOSTILE_WORD} ${number}</title><description>${text}</description>${items.join('')}</channel></rss>`;
}

const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
