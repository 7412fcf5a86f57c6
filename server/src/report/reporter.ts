import type { Call } from '../http/endpoint.ts';
import { networkOf } from '../members/known-networks.ts';
import type { Desk } from './needs.ts';

const WINDOW_MS = 10 * 60_000;

/** Who reports, as a keyed hash. */
export function reporterOf({ caller }: Call, { reporters }: Desk): Promise<Buffer> {
  const { partner, serial, username, securityIp } = caller;
  const isRegistered = partner?.state === 'active';
  return reporters.find({
    network: networkOf(securityIp),
    device: isRegistered && serial !== undefined ? { scope: partner.serial_scope, serial } : undefined,
    username,
  });
}

/** The same for the same words of the same reporter within ten minutes, in the shape of a UUID. */
export function dedupeKey({ now }: Call, { reporters }: Desk, reporter: Buffer, ...said: string[]): string {
  const window = Math.floor(now.epochMilliseconds / WINDOW_MS);
  const hex = reporters.hash('said', String(window), reporter.toString('hex'), ...said).toString('hex');
  return hex.slice(0, 32);
}
