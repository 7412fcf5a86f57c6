import { hash } from 'node:crypto';
import type { DirectoryStation } from '../../core/directory/snapshot/snapshot.ts';
import type { Words } from '../../core/i18n/words.ts';
import { escapeXml } from '../../formats/opml/characters.ts';
import { guideId } from '../../lib/guide-id.ts';
import { ReadThrough } from '../../storage/cache/read-through.ts';
import { type GuideRow, listBroadcastsOfStations } from '../../storage/catalog/schedules/broadcasts.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { FoundList } from './find-list.ts';

export const XMLTV_TYPE = 'application/xml; charset=utf-8';
/** From a little before now, for those who look at what they missed, to a week ahead. */
const PAST = { hours: 3 };
const AHEAD = { hours: 7 * 24 };
/** Of one guide. Each station has an equal share, its first broadcasts, so that none goes without. */
const MAX_BROADCASTS = 20_000;
/** Of all guides that are kept; some 300 bytes each. */
const MAX_KEPT_BROADCASTS = 100_000;

interface Asked {
  stationIds: readonly number[];
  from: Temporal.Instant;
}

/** What stations broadcast in the coming week, as XMLTV. Players ask for it when they start and every few hours. */
export class Guides {
  readonly #rows: ReadThrough<GuideRow[], Asked>;

  constructor(db: Queryable) {
    this.#rows = new ReadThrough({
      load: (_key, { stationIds, from }) =>
        listBroadcastsOfStations(db, stationIds, {
          from,
          until: from.add(PAST).add(AHEAD),
          mostEach: Math.ceil(MAX_BROADCASTS / stationIds.length),
        }),
      most: MAX_KEPT_BROADCASTS,
      weightOf: ({ length }) => length,
      freshMs: 60_000,
      staleMs: 3_600_000,
      deadlineMs: 2500,
    });
  }

  async write(found: FoundList, origin: string, words: Words, now: Temporal.Instant): Promise<string[]> {
    const stations = found.items.flatMap(({ item }) => (item.kind === 'station' ? [item.station] : []));
    const unique = [...new Map(stations.map((station) => [station.id, station])).values()];
    const stationIds = unique.map(({ id }) => id);
    // By whole hours, so that a guide stays the same for an hour.
    const from = now.subtract(PAST).round({ smallestUnit: 'hour', roundingMode: 'floor' });
    const key = hash('sha256', `${from.toString()} ${stationIds.join(' ')}`, 'base64url');
    const rows = stationIds.length === 0 ? [] : await this.#rows.get(key, { stationIds, from });
    return writeGuide(found, unique, rows, { origin, words });
  }
}

/** Channels, then broadcasts channel by channel. */
export function writeGuide(
  found: Pick<FoundList, 'snapshot'>,
  stations: readonly Pick<DirectoryStation, 'id' | 'name' | 'homepage'>[],
  rows: readonly GuideRow[],
  { origin, words }: { origin: string; words: Words },
): string[] {
  const byStation = Map.groupBy(rows, ({ station_id: id }) => id);
  const broadcasts = stations.flatMap(({ id }) =>
    (byStation.get(id) ?? []).toSorted((a, b) => Temporal.Instant.compare(a.starts_at, b.starts_at)),
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE tv SYSTEM "xmltv.dtd">',
    '<tv generator-info-name="Longwave">',
    ...stations.map(({ id, name, homepage }) => channel(guideId('s', id), name, origin, homepage)),
    ...broadcasts.map((row) => programme(row, found, words)),
    '</tv>',
  ];
}

function channel(id: string, name: string, origin: string, homepage: string | undefined): string {
  const url = homepage === undefined ? '' : `<url>${escapeXml(homepage)}</url>`;
  return `<channel id="${id}"><display-name>${escapeXml(name)}</display-name><icon src="${escapeXml(origin)}/logos/${id}q.png"/>${url}</channel>`;
}

/** In the order of the DTD. */
function programme(row: GuideRow, { snapshot }: Pick<FoundList, 'snapshot'>, words: Words): string {
  const genre = snapshot.genreById.get(row.genre_id ?? Number.NaN);
  const description = row.description === null ? '' : `<desc>${escapeXml(row.description)}</desc>`;
  const category = genre ? `<category>${escapeXml(words.genreName(genre.slug, genre.name))}</category>` : '';
  return `<programme start="${timeOf(row.starts_at)}" stop="${timeOf(row.ends_at)}" channel="${guideId('s', row.station_id)}"><title>${escapeXml(row.title)}</title>${description}${category}</programme>`;
}

/** `20260402080000 +0000`. */
const timeOf = (instant: Temporal.Instant): string =>
  `${instant.toString({ smallestUnit: 'second' }).replaceAll(/\D/g, '')} +0000`;
