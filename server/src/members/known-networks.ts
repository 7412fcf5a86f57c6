import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Queryable } from '../db/pool.ts';
import { statement } from '../db/statement.ts';
import { type MemberKeys, keyedHash } from './keys.ts';
import { writeInPassing } from './write-in-passing.ts';

/** The house or office an address is in: its /24, or for IPv6 its /64. What is no address is a network of its own. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4
    ? parsed.octets.slice(0, 3).join('.')
    : parsed.parts.slice(0, 4).join(':');
}

/** As it is kept; of an address itself nothing is. */
export const networkHash = (keys: MemberKeys, network: string): Buffer => keyedHash(keys.network, network);

/** How long a network is known after somebody signed in from it. */
export const KNOWN_DAYS = 30;

const remember = statement(
  'known-network-remember',
  {},
  `INSERT INTO known_networks (account_id, network_hash, seen_at) VALUES ($1, $2, $3)
   ON CONFLICT (account_id, network_hash) DO UPDATE SET seen_at = excluded.seen_at
   WHERE known_networks.seen_at < excluded.seen_at - interval '1 day'`,
);

export async function rememberNetwork(
  db: Queryable,
  seen: { accountId: number; hash: Buffer; now: Temporal.Instant },
): Promise<void> {
  await writeInPassing(() => remember.run(db, [seen.accountId, seen.hash, seen.now.toString()]));
}
