import { hash } from 'node:crypto';
import { withLineFeeds } from '../decode-text.ts';
import type { ForeignId } from './foreign-id.ts';

// The lists of YCast and YTuner, which stand in for vTuner in a house. Receivers store the ids that those programs make of
// each line.

/** One line of such a list. */
export interface OwnStation {
  category: string | undefined;
  name: string;
  address: string;
  foreign: readonly ForeignId[];
}

const MAX_LINE_LENGTH = 4096;

const linesOf = (text: string): string[] =>
  withLineFeeds(text.replace(/^\ufeff/, ''))
    .split('\n')
    .filter((line) => line !== '' && line.length <= MAX_LINE_LENGTH);

/**
 * `stations.yml`: categories, and below each `name: address`, behind which YTuner allows `|` and a logo. Both programs read
 * such a file, so that a line has an id in each of them. Stops after more than `most` stations.
 */
export function parseYamlList(text: string, most: number): OwnStation[] {
  const stations: OwnStation[] = [];
  let category: string | undefined;
  for (const line of linesOf(text)) {
    if (stations.length > most) break;
    const { key, value } = readYamlLine(line);
    if (key === undefined) continue;
    const address = addressIn(value);
    if (value === '') category = key;
    else if (address !== '')
      stations.push({
        category,
        name: key,
        address,
        foreign: [idInYcast(key + value), idInYtuner(key + address)],
      });
  }
  return stations;
}

/** YTuner's `stations.ini`: `[category]`, and below it `name=address|logo`. Stops after more than `most` stations. */
export function parseIniList(text: string, most: number): OwnStation[] {
  const stations: OwnStation[] = [];
  let category: string | undefined;
  for (const line of linesOf(text)) {
    if (stations.length > most) break;
    const trimmed = line.trim();
    const equals = trimmed.indexOf('=');
    if (/^[;#]/.test(trimmed)) continue;
    if (trimmed.startsWith('[')) category = trimmed.slice(1).replace(/\].*$/, '').trim() || undefined;
    else if (equals > 0) {
      const [name, address] = [trimmed.slice(0, equals).trim(), addressIn(trimmed.slice(equals + 1))];
      if (address !== '') stations.push({ category, name, address, foreign: [idInYtuner(name + address)] });
    }
  }
  return stations;
}

/** What stands before a logo; '' if it cannot be an address. */
function addressIn(value: string): string {
  const [address = ''] = value.split('|', 1);
  return /\s/.test(address.trim()) ? '' : address.trim();
}

/** YCast joins the two halves of the digest. */
function idInYcast(line: string): ForeignId {
  const digest = hash('md5', line, 'buffer');
  const folded = Buffer.from(
    Array.from({ length: 6 }, (_, at) => digest.readUInt8(at) ^ digest.readUInt8(at + 8)),
  );
  return { scheme: 'ycast', id: `MY_${folded.toString('hex').toUpperCase()}` };
}

const idInYtuner = (line: string): ForeignId => ({
  scheme: 'ytuner',
  id: `MY_${hash('md5', line).slice(0, 12).toUpperCase()}`,
});

const QUOTED_KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:(?:\s+(.*))?$/;

/** `key: value`, either of them quoted or not; a comment has no key. */
function readYamlLine(line: string): { key: string | undefined; value: string } {
  const trimmed = line.trim();
  if (trimmed === '' || /^(?:#|---|\.\.\.)/.test(trimmed)) return { key: undefined, value: '' };
  const [whole, double, single, rest = ''] = QUOTED_KEY.exec(trimmed) ?? [];
  if (whole !== undefined)
    return {
      key: double?.replaceAll(/\\(.)/g, '$1') ?? single?.replaceAll("''", "'"),
      value: readValue(rest),
    };
  const end = trimmed.search(/:(?:\s|$)/);
  if (end <= 0) return { key: undefined, value: '' };
  return { key: trimmed.slice(0, end).trim(), value: readValue(trimmed.slice(end + 1)) };
}

function readValue(text: string): string {
  const value = text.trim();
  const [, double, single] = /^(?:"([^"]*)"|'([^']*)')/.exec(value) ?? [];
  return double ?? single ?? value.split(/\s#/, 1)[0]?.trim() ?? '';
}
