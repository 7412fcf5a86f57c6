import { decodeHTMLAttribute } from 'entities';
import { listLines } from './entry.ts';

const LONGEST_TAG = 4096;
/** One tag: it ends where it is closed, or where the next begins, so that no letter is looked at twice. */
const REFERENCE = /<\s*(?:entry)?ref\s[^<>]*/gi;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;
const INI_LINE = /^ref\d{1,3}\s*=\s*(\S.*)$/i;

/**
 * The addresses of an ASX, in order. What is called ASX is rarely XML: any case, bare `&`, tags never closed; or an INI
 * file with `Ref1=`. So only the tags that lead somewhere are looked for.
 */
export function parseAsx(text: string): string[] {
  const found: string[] = [];
  for (const [tag] of text.matchAll(REFERENCE)) {
    const [, quoted, single, bare] = (tag.length <= LONGEST_TAG && HREF.exec(tag)) || [];
    const address = quoted ?? single ?? bare;
    if (address !== undefined) found.push(decodeHTMLAttribute(address.trim()));
  }
  return found.length > 0 ? found : referencesIn(text);
}

const referencesIn = (text: string): string[] =>
  listLines(text).flatMap((line) => INI_LINE.exec(line)?.[1] ?? []);
