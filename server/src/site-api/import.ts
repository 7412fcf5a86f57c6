import type { SiteAnswer } from '../http/site-endpoint.ts';
import { guideId } from '../lib/guide-id.ts';
import { findAccount } from '../members/accounts.ts';
import { importPresets } from '../members/import-presets.ts';
import { Fields } from './fields.ts';
import { type MatchedEntry, matchList } from './match-list.ts';
import type { Desk, MemberCall } from './needs.ts';
import { LIST_FORMATS, type ListEntry, MOST_ENTRIES, formatOf, readList } from './read-list.ts';

const LONGEST_LIST = 60_000;

/** First what a list would come to, then, sent again with `confirm`, that done. */
export async function importList(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const { members, accountId, caller } = call;
  const fields = new Fields(call.body);
  const entries = await readEntries(fields);
  const account = await findAccount(members.pool, accountId);
  const around = { origin: caller.links.origin, countryId: account?.country_id ?? null };
  const { matched, unmatched } = await matchList(entries, desk, around);
  if (fields.flag('confirm') !== true) return { json: { preview: matched.map(shown), unmatched } };
  const { added, skipped } = await importPresets(members.pool, accountId, matched);
  return { json: { added, skipped: skipped + unmatched.length } };
}

async function readEntries(fields: Fields): Promise<ListEntry[]> {
  const text = fields.required('text', LONGEST_LIST);
  const asked = fields.text('format');
  const format =
    LIST_FORMATS.find((known) => known === asked) ?? (asked === undefined ? formatOf(text) : undefined);
  if (!format) throw fields.refuse('format', `'format' is one of ${LIST_FORMATS.join(', ')}, or left out`);
  const entries = await readList(text, format).catch((error: unknown) => {
    throw fields.refuse(
      'text',
      `This is no ${format.toUpperCase()} list: ${error instanceof Error ? error.message : ''}`,
    );
  });
  if (entries.length === 0)
    throw fields.refuse('text', 'There is no address in this list; is it OPML, M3U, PLS or CSV?');
  if (entries.length > MOST_ENTRIES)
    throw fields.refuse('text', `The list has more than ${MOST_ENTRIES} entries; bring a part of it`);
  return entries;
}

function shown({ item, by, folder, number }: MatchedEntry): object {
  const what =
    item.kind === 'u'
      ? { kind: 'url', url: item.address }
      : { kind: item.kind === 's' ? 'station' : 'show', guideId: guideId(item.kind, item.itemId) };
  return { ...what, name: item.label, by, folder, number };
}
