import {
  decideSuggestion,
  listHeardSuggestions,
  type ShownSuggestion,
} from '../../../storage/catalog/streams/suggestions.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import type { MemberCall, SiteApiContext } from '../api/deps.ts';
import { Fields } from '../api/fields.ts';

/** More than anybody reads at once; `longwave suggestions list` shows the rest. */
const MAX_SHOWN = 50;

/** What listeners suggested and was heard. */
export async function listSuggestions(_call: MemberCall, { db }: SiteApiContext): Promise<SiteAnswer> {
  const rows = await listHeardSuggestions(db, { limit: MAX_SHOWN, offset: 0 });
  return { json: { suggestions: rows.map(viewOf) } };
}

const viewOf = (row: ShownSuggestion): object => ({
  id: row.address_key,
  name: row.name,
  address: row.address,
  homepage: row.homepage,
  place: [row.city, row.country_code].filter(Boolean).join(', ') || null,
  codec: row.codec,
  kbits: row.bitrate > 0 ? row.bitrate : null,
  suggestedAt: row.suggested_at.toString(),
});

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** An accepted station is imported by a worker within a minute. */
export async function answerSuggestion(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { id = '' } = call.path;
  const fields = new Fields(call.body);
  const accept = fields.flag('accept');
  if (accept === undefined) throw fields.refuse('accept', "'accept' must be true or false");
  const name = UUID.test(id) ? await decideSuggestion(context.db, id, accept) : undefined;
  if (name === undefined)
    throw new SiteFault(404, 'site.notFound', 'There is no such suggestion, or it was decided about before');
  return listSuggestions(call, context);
}
