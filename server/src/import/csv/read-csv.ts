import { coordinate } from '../../lib/geo.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { parseCount, parseDegrees } from '../../formats/csv/number.ts';
import { type CsvItem, readCsvRecords } from '../../formats/csv/records.ts';
import type { SourceItem } from '../../intake/import-stations.ts';

/** An operator's own list as a table; which columns are understood is in docs/import.md. */
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
