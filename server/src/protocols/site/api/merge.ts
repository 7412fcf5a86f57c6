import { addMissingPresets } from '../../../core/accounts/presets/import-presets.ts';
import { labelOf } from '../../../core/accounts/presets/preset-rules.ts';
import type { PresetItem } from '../../../core/accounts/presets/presets.ts';
import { findByOwnOrAlias, findPresetTarget } from '../../../core/directory/lookup/by-any-id.ts';
import type { SiteAnswer } from '../session/site-endpoint.ts';
import type { MemberCall, SiteApiContext } from './deps.ts';
import { Fields } from './fields.ts';
import { answerPresets } from './presets.ts';

/**
 * What somebody saved in their browser before they had an account: in its order, after the account's own presets, and
 * nothing twice. Sent again, it changes nothing. `left` is what there was no room for; the page keeps it.
 */
export async function mergePresets(call: MemberCall, context: SiteApiContext): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const found = new Map<string, PresetItem>();
  for (const text of new Fields(call.body).texts('guideIds')) {
    const target = await findByOwnOrAlias(text, context.aliases, (id) => findPresetTarget(id, context));
    if (target) found.set(text, { kind: target.kind, itemId: target.itemId, label: labelOf(target.name) });
  }
  const { added, left } = await addMissingPresets(members.pool, accountId, [...found.values()]);
  const { json } = await answerPresets(call, context);
  const leftIds = [...found].filter(([, item]) => left.includes(item)).map(([id]) => id);
  return { json: { added, left: leftIds, ...asObject(json) } };
}

const asObject = (json: unknown): object => (typeof json === 'object' && json !== null ? json : {});
