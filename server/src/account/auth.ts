import { signedIn } from '../http/acting-member.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import { Fault } from '../lib/fault.ts';
import { findAccount } from '../members/accounts.ts';
import { textOutline } from '../opml/outlines.ts';
import type { Desk } from './desk.ts';

/** Whether a name and a password fit; if so, the three lines that clients of the JSON form read. */
export async function auth({ doors }: Desk, call: Call): Promise<Answer> {
  const id = await signedIn(call, doors);
  const account = await findAccount(doors.pool, id);
  if (!account) throw new Fault(401, 'validation.credentials', 'The account was closed just now');
  const username = account.username ?? '';
  return {
    outlines: [
      { ...textOutline(username), attributes: [['AccountId', String(id)]] },
      textOutline(username, { key: 'username' }),
      textOutline(account.zone ?? 'UTC', { key: 'zone' }),
    ],
    noStore: true,
  };
}
