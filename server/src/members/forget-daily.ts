import type { Pool } from 'pg';
import type { Log } from '../lib/log.ts';
import { forget } from './forget.ts';

const FIRST_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** Forgets a minute after the start, and then every day. */
export function forgetDaily(pool: Pool, log: Log): Disposable {
  const once = async (): Promise<void> => {
    try {
      const rows = await forget(pool);
      if (rows !== undefined) log.info({ rows }, 'forgot what was kept for thirty days');
    } catch (error) {
      log.warn({ err: error }, 'could not forget what was kept for thirty days; tomorrow again');
    }
  };
  const first = setTimeout(() => void once(), FIRST_MS).unref();
  const daily = setInterval(() => void once(), DAY_MS).unref();
  return {
    [Symbol.dispose]() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}
