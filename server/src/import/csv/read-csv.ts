import { coordinate } from '../../lib/geo.ts';
import { uuidOf } from '../../lib/uuid-of.ts';
import { readCsvRecords } from '../../formats/csv/records.ts';
import type { SourceItem } from '../../intake/import-stations.ts';

/** An operator's own list as a table; which columns are understood is in docs/import.md. */
export async function* readCsvStations(
  bytes: AsyncIterable<Uint8Array>,
  source: string,
): AsyncGenerator<SourceItem> {
  for await (const { line, values } of readCsvRecords(bytes)) {
    if (!values.address) {
      yield {
        refused: 'no address: the row has nothing in a column named url, stream or address',
        at: `line ${line}`,
      };
      continue;
    }
    const { address, name, homepage, logo, country, state, city, codec } = values;
    const place = coordinate(
      Number.parseFloat(values.latitude ?? ''),
      Number.parseFloat(values.longitude ?? ''),
    );
    const isCode = country !== undefined && /^[a-z]{2}$/i.test(country);
    yield {
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
        coordinate: place,
        languages: listOf(values.language),
        tags: listOf(values.tags),
        bitrateKbps: Number.parseFloat(values.bitrate ?? '') || 0,
        hls: false,
        votes: Number.parseFloat(values.votes ?? '') || 0,
        clicks: 0,
      },
    };
  }
}

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(/[,;|]/)
    .map((item) => item.trim())
    .filter((item) => item !== '');
