import { type CsvItem, parseCount, parseDegrees, readCsvRecords } from '../../../formats/csv/records.ts';
import { decodeText } from '../../../formats/decode-text.ts';
import { readOpmlList } from '../../../formats/opml-list/parse.ts';
import { plainBytes } from '../../../formats/plain-bytes.ts';
import { parseM3u } from '../../../formats/playlist/m3u.ts';
import { parsePls } from '../../../formats/playlist/parse-playlist.ts';
import { coordinate } from '../../../lib/geo.ts';
import { uuidOf } from '../../../lib/ids.ts';
import type { SourceItem } from '../../pipeline/import-stations.ts';

/** An operator's own list as a table; docs/import.md lists the columns. */
export async function* readCsvStations(
  bytes: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<SourceItem> {
  for await (const rows of readCsvRecords(bytes)) for (const row of rows) yield itemOf(row, source);
}

function itemOf(row: CsvItem, source: string): SourceItem {
  if ('refused' in row) return { refused: row.refused, at: `line ${row.line}` };
  const { line, values } = row;
  if (!values.address)
    return {
      refused: 'no address: the row has nothing in a column named url, stream or address',
      at: `line ${line}`,
    };
  const { address, name, homepage, logo, country, state, city, codec } = values;
  const isCode = country !== undefined && /^[a-z]{2}$/i.test(country);
  return {
    record: {
      source,
      record: values.id ?? uuidOf(address),
      name: name ?? '',
      address,
      homepage,
      logo,
      countryCode: isCode ? country.toUpperCase() : undefined,
      countryName: isCode ? undefined : country,
      state,
      city,
      codec,
      coordinate: coordinate(
        parseDegrees(values.latitude) ?? Number.NaN,
        parseDegrees(values.longitude) ?? Number.NaN,
      ),
      languages: listOf(values.language),
      tags: listOf(values.tags),
      bitrateKbps: parseCount(values.bitrate) ?? 0,
      hls: false,
      votes: parseCount(values.votes) ?? 0,
      clicks: 0,
    },
  };
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/[,;|]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

const MAX_BYTES = 64 * 2 ** 20;

/** An operator's own playlist, M3U or PLS; a group title is read as tags. */
export async function* readM3uStations(
  bytes: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<SourceItem> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of plainBytes(bytes, MAX_BYTES)) chunks.push(chunk);
  const text = decodeText(Buffer.concat(chunks));
  const entries = /^\s*\[playlist\]/i.test(text) ? parsePls(text) : parseM3u(text);
  for (const { address, name, group, logo, attributes } of entries) {
    const country = attributes.get('tvg-country') ?? '';
    yield {
      record: {
        source,
        record: uuidOf(address),
        name: name ?? new URL('/', URL.canParse(address) ? address : 'http://unnamed').hostname,
        address,
        logo,
        countryCode: /^[a-z]{2}$/i.test(country) ? country.toUpperCase() : undefined,
        languages: (attributes.get('tvg-language') ?? '').split(/[,;]/).filter(Boolean),
        tags: (group ?? '').split(/[,;|]/).filter(Boolean),
        bitrateKbps: 0,
        hls: false,
        votes: 0,
        clicks: 0,
      },
    };
  }
}

/** A radio list in OPML, as many players export it; the groups around an outline are read as tags. */
export async function* readOpmlStations(
  bytes: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<SourceItem> {
  for await (const outline of readOpmlList(plainBytes(bytes))) {
    const { address, name, image, bitrateKbps, groups } = outline;
    yield {
      record: {
        source,
        record: uuidOf(address),
        name: name ?? '',
        address,
        logo: image,
        languages: [],
        tags: groups,
        bitrateKbps: bitrateKbps ?? 0,
        hls: false,
        votes: 0,
        clicks: 0,
      },
    };
  }
}
