import { readJsonItems } from '../../formats/json-lines/read.ts';
import type { SourceItem } from '../../intake/import-stations.ts';
import { radioBrowserRecord } from './record.ts';

/** Stations of a dump, an API answer or JSON lines; gzip or plain, told by the bytes themselves. */
export async function* readRadioBrowser(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SourceItem> {
  for await (const item of readJsonItems(bytes)) {
    const at = `entry ${item.number}`;
    if ('error' in item) {
      yield { refused: 'not readable as JSON', at: `${at}: ${item.error}` };
      continue;
    }
    const record = radioBrowserRecord(item.value);
    yield record ? { record } : { refused: 'no station: neither stationuuid nor id', at };
  }
}
