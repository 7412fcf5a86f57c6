import { MAX_ENTRIES, type PlaylistEntry, listLines } from './entry.ts';

const FILE = /^file(\d{0,7})\s*=\s*(\S.*)$/i;
const LINE = /^(file|title|length|genre|logo)(\d{1,7})\s*=\s*(.*)$/i;

/** PLS: `File1=`, `Title1=`; entries come in the order of their numbers, and those without an address are left out. */
export function parsePls(text: string): PlaylistEntry[] {
  const entries = new Map<number, Map<string, string>>();
  for (const line of listLines(text)) {
    const [, key = '', number = '', value = ''] = LINE.exec(line) ?? [];
    if (key === '') continue;
    const said = entries.get(Number(number)) ?? new Map<string, string>();
    if (said.size === 0 && entries.size < MAX_ENTRIES) entries.set(Number(number), said);
    said.set(key.toLowerCase(), value);
  }
  return [...entries.entries()].toSorted(([a], [b]) => a - b).flatMap(([, said]) => toEntry(said));
}

function toEntry(said: ReadonlyMap<string, string>): PlaylistEntry[] {
  const address = said.get('file') ?? '';
  if (!/^[a-z][a-z0-9+.-]{1,15}:\/\/\S/i.test(address)) return [];
  const [name, group, logo] = [said.get('title'), said.get('genre'), said.get('logo')];
  return [
    {
      address,
      ...(name ? { name } : {}),
      ...(group ? { group } : {}),
      ...(logo ? { logo } : {}),
      attributes: said,
    },
  ];
}

/** What the list of one station leads to, in the order of its numbers: it may number all alike, and leave out the host. */
export const plsAddresses = (text: string): string[] =>
  listLines(text)
    .flatMap((line) => {
      const [, number, address] = FILE.exec(line) ?? [];
      return address === undefined ? [] : [{ number: Number(number), address }];
    })
    .toSorted((a, b) => a.number - b.number)
    .map(({ address }) => address);
