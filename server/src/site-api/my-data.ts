import type { SiteAnswer } from '../http/site-endpoint.ts';
import { listAccountDevices } from '../members/account-devices.ts';
import { findRegistration } from '../members/accounts.ts';
import { listSessions } from '../members/sessions.ts';
import type { Desk, MemberCall } from './needs.ts';
import { readFolders } from './preset-list.ts';
import { diaryOf } from './radio-view.ts';
import { accountView } from './session.ts';

/** Everything that is kept about an account and can be read; of passwords and serials only hashes are. */
export async function exportMe(call: MemberCall, desk: Desk): Promise<SiteAnswer> {
  const { members, accountId, caller, now } = call;
  const registration = await findRegistration(members.pool, accountId);
  const devices = await listAccountDevices(members.pool, accountId);
  const data = {
    exportedAt: now.toString(),
    account: await accountView(desk, call, accountId),
    registeredAt: registration?.created_at.toString(),
    folders: await readFolders(desk, members, { accountId, words: caller.words }),
    radios: devices.map((device) => ({
      name: device.name,
      joinedAt: device.joined_at.toString(),
      droppedAt: device.dropped_at?.toString() ?? null,
      lastSeen: device.seen_at?.toString() ?? null,
      partner: device.partner_id,
      profile: device.profile,
      requests: diaryOf(device),
    })),
    sessions: (await listSessions(members.pool, accountId)).map((session) => ({
      agent: session.agent,
      signedInAt: session.created_at.toString(),
      lastSeen: session.seen_at.toString(),
      endsAt: session.expires_at.toString(),
    })),
  };
  const bytes = Buffer.from(`${JSON.stringify(data, undefined, 2)}\n`);
  return { file: { bytes, contentType: 'application/json; charset=utf-8', name: 'my-longwave-data.json' } };
}
