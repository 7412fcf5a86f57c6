import assert from 'node:assert/strict';
import type { LightMyRequestResponse } from 'fastify';
import { parseXml } from '../../../fuzz/check-answer.ts';

type Response = Pick<LightMyRequestResponse, 'statusCode' | 'headers' | 'body'>;

/** What the caller was told: that it is done, that it is not, or that nobody knows. */
export type Said = 'done' | 'refused' | 'unknown';

export function saidBy({ statusCode, body }: Response): Said {
  if (body.includes('service.outcomeUnknown')) return 'unknown';
  return statusCode < 300 && !/fault_code|"status":"[45]/.test(body) ? 'done' : 'refused';
}

interface Tried {
  said: Said;
  changed: Record<string, number>;
  response: Response;
}

/** What is wrong with an answer after a failure; `whole` is what the request writes where nothing fails. */
export function findProblem(
  { said, changed, response }: Tried,
  whole: Record<string, number>,
): string | undefined {
  const { statusCode, body } = response;
  if (statusCode === 500 || /<status>500<|"status":"500"/.test(body))
    return `an error of ours: ${body.slice(0, 300)}`;
  const form = findBadForm(response);
  if (form) return form;
  if (said === 'refused' && Object.keys(changed).length > 0)
    return `refused, and wrote ${JSON.stringify(changed)}: ${body.slice(0, 300)}`;
  // Where nobody knows, its sender has sent it again, or has looked.
  if (said === 'unknown' && isSame({}, changed)) return undefined;
  const [wrote, wanted] =
    said === 'unknown' ? [withoutUnseen(changed), withoutUnseen(whole)] : [changed, whole];
  if (said !== 'refused' && !isSame(wrote, wanted))
    return `${said}, but wrote ${JSON.stringify(changed)} instead of ${JSON.stringify(whole)}`;
  return undefined;
}

/** A session whose cookie nobody got, and a code that no radio showed, are nobody's and end by themselves. */
const withoutUnseen = (rows: Record<string, number>): Record<string, number> => ({
  ...rows,
  site_sessions: 0,
  device_claims: 0,
});

function isSame(one: object, other: object): boolean {
  try {
    assert.deepEqual(one, other);
    return true;
  } catch {
    return false;
  }
}

/** Radios read OPML or lines of addresses, pages and apps JSON, and a logo is a picture. */
function findBadForm({ headers, body, statusCode }: Response): string | undefined {
  const [type = ''] = String(headers['content-type']).split(';');
  try {
    if (type === 'text/xml') parseXml(body);
    else if (type === 'application/json') JSON.parse(body);
    else if (type !== 'audio/x-mpegurl' && !type.startsWith('image/') && statusCode !== 204)
      return `HTTP ${statusCode} ${type}: ${body.slice(0, 200)}`;
  } catch (error) {
    return `not ${type}: ${String(error)}`;
  }
  return undefined;
}
