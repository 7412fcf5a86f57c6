import { MAX_ENTRIES, type PlaylistEntry, listLines } from './entry.ts';

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
