import { type CsvItem, readCsvRecords } from '../formats/csv/records.ts';
import { readOpmlList } from '../formats/opml-list/parse.ts';
import type { PlaylistEntry } from '../formats/playlist/entry.ts';
import { parseM3u } from '../formats/playlist/m3u.ts';
import { parsePls } from '../formats/playlist/pls.ts';
import { PRESET_ATTRIBUTES } from '../opml/preset-outlines.ts';

/** One line of a list that somebody brings. */
export interface ListEntry {
  address: string;
  name: string | undefined;
  /** What the list calls it: a guide ID of ours or of another directory. */
  id: string | undefined;
  folder: string | undefined;
  number: number | undefined;
}

/** More than an account holds. */
export const MOST_ENTRIES = 1000;

export const LIST_FORMATS = ['opml', 'm3u', 'pls', 'csv'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** By how it begins. */
export function formatOf(text: string): ListFormat {
  const start = text.replace(/^\ufeff/, '').trimStart();
  if (start.startsWith('<')) return 'opml';
  if (/^\[playlist\]/i.test(start)) return 'pls';
  return /^#|^[a-z][a-z0-9+.-]{1,15}:\/\//i.test(start) ? 'm3u' : 'csv';
}

/** Every line that has an address, or more than `MOST_ENTRIES`; an error says what is wrong with the list. */
export async function readList(text: string, format: ListFormat): Promise<ListEntry[]> {
  if (format === 'm3u') return parseM3u(text).map(ofPlaylist);
  if (format === 'pls') return parsePls(text).map(ofPlaylist);
  return format === 'opml' ? Array.fromAsync(opmlEntries(text)) : csvEntries(text);
}

/** The whole line names the group better than an attribute, which cannot hold quotes. */
const ofPlaylist = ({ address, name, group, attributes }: PlaylistEntry): ListEntry => ({
  address,
  name,
  id: attributes.get('tvg-id'),
  folder: attributes.get('extgrp') ?? group,
  number: parseNumber(attributes.get('tvg-chno')),
});

async function* opmlEntries(text: string): AsyncGenerator<ListEntry> {
  for await (const { address, name, groups, attributes } of readOpmlList(bytesOf(text)))
    yield {
      address: attributes.get(PRESET_ATTRIBUTES.address) ?? address,
      name,
      id: attributes.get(PRESET_ATTRIBUTES.id),
      folder: groups.at(-1),
      number: parseNumber(attributes.get(PRESET_ATTRIBUTES.number)),
    };
}

/** Read no further than to where there are too many of them. */
async function csvEntries(text: string): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  for await (const items of readCsvRecords(bytesOf(text))) {
    entries.push(...items.flatMap((item) => ofRow(item)));
    if (entries.length > MOST_ENTRIES) break;
  }
  return entries;
}

function ofRow(row: CsvItem): ListEntry[] {
  const rest = { folder: undefined, number: undefined };
  // Without an address it is among what was not recognised, so that whoever brings the list sees which line it is.
  if ('refused' in row)
    return [{ address: '', name: `Line ${row.line}: ${row.refused}`, id: undefined, ...rest }];
  const { address, name, id } = row.values;
  return address ? [{ address, name, id, ...rest }] : [];
}

const PIECE_BYTES = 16_384;

/** As it would come from a network, so that the reading can end before the text does. */
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const parseNumber = (text = ''): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined);
