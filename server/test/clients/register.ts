import assert from 'node:assert/strict';
import type { ServedHouse } from '../house/served-house.ts';

export interface Listener {
  partnerId: string;
  username: string;
  password: string;
}

/** An account, made as a radio makes one. */
export async function register({ post }: ServedHouse, listener: Listener): Promise<void> {
  const email = `${listener.username}@example.net`;
  const home = { city: 'Cork', countryId: await countryId(post) };
  const answer = await post('/Account.ashx', { c: 'create', ...listener, email, ...home });
  assert.match(answer, /<status>200</);
}

/** As the list of countries gives it. */
async function countryId(post: ServedHouse['post']): Promise<string> {
  const countries = await post('/Describe.ashx', { c: 'countries' });
  const id = /<outline[^>]*text="Ireland"[^>]*guide_id="(n\d+)"/.exec(countries)?.[1];
  assert.ok(id, 'Ireland is not in the list');
  return id;
}
