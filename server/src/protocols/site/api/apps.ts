import {
  addAppPassword,
  listAppPasswords,
  MAX_APP_NAME_LENGTH,
  MAX_APP_PASSWORDS,
  removeAppPassword,
} from '../../../core/accounts/app-passwords/app-passwords.ts';
import { listAppDevices } from '../../../core/accounts/subscriptions/app-devices.ts';
import {
  type EpisodeActionRow,
  listEpisodeActions,
} from '../../../core/accounts/subscriptions/episode-actions.ts';
import { listSubscriptionRows } from '../../../core/accounts/subscriptions/subscription-rows.ts';
import { cleanMarkupText } from '../../../formats/opml/characters.ts';
import { type SiteAnswer, SiteFault } from '../session/site-endpoint.ts';
import { Fields } from './fields.ts';
import type { MemberCall } from './deps.ts';

export const listApps = async (call: MemberCall): Promise<SiteAnswer> => ({
  json: { apps: await appsOf(call) },
});

/** Shown only once. */
export async function makeAppPassword(call: MemberCall): Promise<SiteAnswer> {
  const { members, accountId } = call;
  const fields = new Fields(call.body);
  const app = cleanMarkupText(fields.required('app')).trim();
  if (app === '' || app.length > MAX_APP_NAME_LENGTH)
    throw fields.refuse('app', `Name the app in 1 to ${MAX_APP_NAME_LENGTH} characters`);
  const added = await addAppPassword(members.pool, members.keys, { accountId, app });
  if (!added)
    throw new SiteFault(
      409,
      'site.tooMany',
      `An account has ${MAX_APP_PASSWORDS} app passwords at most; remove one that is not used`,
    );
  return { status: 201, json: { password: added.password, apps: await appsOf(call) } };
}

/** The same message for one that does not exist and for somebody else's. */
export async function endAppPassword(call: MemberCall): Promise<SiteAnswer> {
  const { id = '' } = call.path;
  const isGone =
    /^\d{1,15}$/.test(id) && (await removeAppPassword(call.members.pool, call.accountId, Number(id)));
  if (!isGone)
    throw new SiteFault(404, 'site.notFound', 'You have no such app password; load the page again', 'id');
  return { json: { apps: await appsOf(call) } };
}

/** Also for the export of all that is kept. */
export async function appsOf({ members, accountId }: MemberCall): Promise<object[]> {
  const rows = await listAppPasswords(members.pool, accountId);
  return rows.map(({ id, app, created_at: made, used_at: used }) => ({
    id: String(id),
    app,
    madeAt: made.toString(),
    lastUsed: used?.toString() ?? null,
  }));
}

/** What apps keep here, for the same export. */
export async function podcastsOf({ members: { pool }, accountId }: MemberCall): Promise<object> {
  const actions: EpisodeActionRow[] = [];
  for (;;) {
    const page = await listEpisodeActions(pool, accountId, { since: actions.at(-1)?.serial ?? 0 });
    if (page.length === 0) break;
    actions.push(...page);
  }
  const feeds = await listSubscriptionRows(pool, accountId);
  return {
    feeds: feeds.map(({ address, is_removed: isEnded }) => ({ address, isEnded })),
    devices: await listAppDevices(pool, accountId),
    episodes: actions.map(({ episode_key: _key, serial: _serial, happened_at: at, ...action }) => ({
      ...action,
      at: at?.toString() ?? null,
    })),
  };
}
