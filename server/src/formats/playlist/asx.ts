import { decodeHTMLAttribute } from 'entities';
import { listLines } from './entry.ts';

const LONGEST_TAG = 4096;
const REFERENCE = /^<\s*(?:entry)?ref\s/i;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;
const INI_LINE = /^ref\d{1,3}\s*=\s*(\S.*)$/i;

/**
 * The addresses of an ASX, in order. What is called ASX is rarely XML: any case, bare `&`, tags never closed; or an INI
 * file with `Ref1=`. So only the tags that lead somewhere are looked for.
 */
export function parseAsx(text: string): string[] {
  const found: string[] = [];
  for (let start = text.indexOf('<'); start !== -1; start = text.indexOf('<', start + 1)) {
    const end = text.slice(start, start + LONGEST_TAG).indexOf('>');
    const tag = end === -1 ? '' : text.slice(start, start + end);
    const [, quoted, single, bare] = (REFERENCE.test(tag) && HREF.exec(tag)) || [];
    const address = quoted ?? single ?? bare;
    if (address !== undefined) found.push(decodeHTMLAttribute(address.trim()));
  }
  return found.length > 0 ? found : referencesIn(text);
}

const referencesIn = (text: string): string[] =>
  listLines(text).flatMap((line) => INI_LINE.exec(line)?.[1] ?? []);
