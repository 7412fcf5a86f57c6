import type { SiteAnswer } from '../session/site-endpoint.ts';
import { formatOf, LIST_FORMATS, type ListEntry, readList } from '../../../formats/station-list/read-list.ts';
import { guideId } from '../../../lib/guide-id.ts';
import { findAccount } from '../../../core/accounts/accounts.ts';
import { importPresets } from '../../../core/accounts/presets/import-presets.ts';
import { Fields } from './fields.ts';
import { type MatchedEntry, matchList } from './match-list.ts';
import type { SiteApiContext, MemberCall } from './deps.ts';

const MAX_LIST_LENGTH = 60_000;
/** More than an account can have. */
const MAX_LIST_ENTRIES = 1000;

/** The first call previews the import; sent again with `confirm`, it is applied. */
export async function importList(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId, caller } = call;
  const fields = new Fields(call.body);
  const entries = await readEntries(fields);
  const account = await findAccount(members.pool, accountId);
  const around = { origin: caller.origin, countryId: account?.country_id ?? null };
  const { matched, unmatched } = await matchList(entries, context, around);
  if (fields.flag('confirm') !== true) return { json: { preview: matched.map(shown), unmatched } };
  const { added, skipped } = await importPresets(members.pool, accountId, matched);
  return { json: { added, skipped: skipped + unmatched.length } };
}

async function readEntries(fields: Fields): Promise<ListEntry[]> {
  const text = fields.required('text', MAX_LIST_LENGTH);
  const asked = fields.text('format');
  const format =
    LIST_FORMATS.find((known) => known === asked) ?? (asked === undefined ? formatOf(text) : undefined);
  if (!format)
    throw fields.refuse('format', `'format' must be one of ${LIST_FORMATS.join(', ')}, or left out`);
  const entries = await readList(text, format, MAX_LIST_ENTRIES).catch((error: unknown) => {
    throw fields.refuse(
      'text',
      `This is not a valid ${format.toUpperCase()} list: ${error instanceof Error ? error.message : ''}`,
    );
  });
  if (entries.length === 0)
    throw fields.refuse(
      'text',
      'This list contains no stations; use OPML, M3U, PLS, CSV, JSON, or the list of a Bose, YCast or YTuner',
    );
  if (entries.length > MAX_LIST_ENTRIES)
    throw fields.refuse('text', `The list has more than ${MAX_LIST_ENTRIES} entries; import it in parts`);
  return entries;
}

function shown({ item, by, folder, number }: MatchedEntry): object {
  const what =
    item.kind === 'u'
      ? { kind: 'url', url: item.address }
      : { kind: item.kind === 's' ? 'station' : 'show', guideId: guideId(item.kind, item.itemId) };
  return { ...what, name: item.label, by, folder, number };
}
