import type { Call } from '../call/endpoint.ts';
import { loginNetworkOf } from '../../../core/accounts/login/known-networks.ts';
import type { ReportContext } from './deps.ts';

const WINDOW_MS = 10 * 60_000;

/** The reporter, as a keyed hash. */
export function reporterOf({ caller }: Call, { reporters }: ReportContext): Promise<Buffer> {
  const { partner, serial, username, securityIp } = caller;
  const isRegistered = partner?.state === 'active';
  return reporters.find({
    network: loginNetworkOf(securityIp),
    device: isRegistered && serial !== undefined ? { scope: partner.serial_scope, serial } : undefined,
    username,
  });
}

/** A UUID that is the same for identical reports of one reporter within ten minutes. */
export function dedupeKey(
  { now }: Call,
  { reporters }: ReportContext,
  reporter: Buffer,
  ...said: string[]
): string {
  const window = Math.floor(now.epochMilliseconds / WINDOW_MS);
  const hex = reporters.hash('said', String(window), reporter.toString('hex'), ...said).toString('hex');
  return hex.slice(0, 32);
}
