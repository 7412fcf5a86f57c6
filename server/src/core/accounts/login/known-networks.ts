import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { writeInPassing } from '../../../storage/cache/in-time.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { statement } from '../../../storage/db/statement.ts';
import type { MemberKeys, VersionedHash } from '../keys.ts';

/** The household or office network of an address: its /24, or for IPv6 its /64; an invalid address is its own. */
export function loginNetworkOf(address: string): string {
  if (isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4
    ? parsed.octets.slice(0, 3).join('.')
    : parsed.parts.slice(0, 4).join(':');
}

/** The stored form under every accepted key, the one to store first; addresses themselves are never stored. */
export const networkHashes = (keys: MemberKeys, network: string): [VersionedHash, ...VersionedHash[]] =>
  keys.hashes('network', network);

/** How long a network stays known after a sign-in from it. */
export const KNOWN_DAYS = 30;

const networkAdd = statement(
  'known-network-remember',
  {},
  `INSERT INTO known_networks (account_id, network_hash, seen_at, key_version) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_id, network_hash) DO UPDATE SET seen_at = excluded.seen_at
   WHERE known_networks.seen_at < $5`,
);

export async function rememberNetwork(
  db: Queryable,
  seen: { accountId: number; stored: VersionedHash; now: Temporal.Instant },
): Promise<void> {
  const { hash, version } = seen.stored;
  const dayAgo = seen.now.subtract({ hours: 24 }).toString();
  await writeInPassing(() =>
    networkAdd.run(db, [seen.accountId, hash, seen.now.toString(), version, dayAgo]),
  );
}
