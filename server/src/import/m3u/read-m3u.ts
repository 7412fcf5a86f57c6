import { decodeText } from '../../formats/decode-text.ts';
import { plainBytes } from '../../formats/plain-bytes.ts';
import { parseM3u } from '../../formats/playlist/m3u.ts';
import { parsePls } from '../../formats/playlist/pls.ts';
import type { SourceItem } from '../../intake/import-stations.ts';
import { uuidOf } from '../../lib/uuid-of.ts';

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
