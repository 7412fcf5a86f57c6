import { decodeText } from '../decode-text.ts';
import { cleanText } from '../song-text.ts';

const LONGEST_BLOCK = 4080;
const LONGEST_ADDRESS = 2048;

/**
 * `StreamTitle='It's a 'quoted' title';StreamUrl='…';`. Nothing in it is escaped, so a value ends at `';` and not at the
 * first quotation mark; the last one may be cut off by a server that has no more room.
 */
export function parseStreamTitle(block: Buffer): { title?: string; url?: string } {
  const end = block.indexOf(0);
  const text = decodeText(block.subarray(0, Math.min(end === -1 ? block.length : end, LONGEST_BLOCK)));
  const [title, url] = [valueOf(text, 'StreamTitle'), valueOf(text, 'StreamUrl')?.slice(0, LONGEST_ADDRESS)];
  const address = url === undefined ? null : URL.parse(url);
  return {
    ...(title === undefined ? {} : { title: cleanText(title) }),
    ...(address?.protocol.startsWith('http') ? { url: address.href } : {}),
  };
}

function valueOf(text: string, name: string): string | undefined {
  const start = text.indexOf(`${name}='`);
  if (start === -1) return undefined;
  const from = start + name.length + 2;
  const end = text.indexOf("';", from);
  return end === -1 ? text.slice(from).replace(/'$/, '') : text.slice(from, end);
}
