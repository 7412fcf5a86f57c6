import { TooDeep, parseJson } from '../lib/parse-json.ts';
import { SiteFault } from './site-fault.ts';

export const MOST_BODY_BYTES = 64 * 1024;

/** What was sent as JSON; undefined when that was nothing. */
export function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  try {
    return parseJson(body.toString('utf8'));
  } catch (error) {
    if (error instanceof TooDeep) throw new SiteFault(400, 'site.tooDeep', `The body is ${error.message}`);
    throw new SiteFault(400, 'site.notJson', 'The body is not JSON; check its quotes and commas');
  }
}

/** What the framework says about a body it would not read, in our words. */
export function asSiteFault(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new SiteFault(
      413,
      'site.tooLarge',
      `The body is larger than ${MOST_BODY_BYTES} bytes; send less at once`,
    );
  return error;
}
