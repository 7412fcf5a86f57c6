import { readOpmlList } from '../../formats/opml-list/parse.ts';
import { plainBytes } from '../../formats/plain-bytes.ts';
import type { SourceItem } from '../../intake/import-stations.ts';
import { uuidOf } from '../../lib/uuid-of.ts';

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
