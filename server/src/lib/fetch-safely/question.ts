import { UnsafeAddress } from './unsafe-address.ts';

/** What is asked of one server; a redirect makes another one of it. */
export interface Question {
  address: string;
  method: 'GET' | 'POST';
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer | undefined;
}

const SAME_QUESTION = new Set([307, 308]);

/**
 * What a redirect asks for, or undefined when it is an answer: only 307 and 308 want a body once more. No header goes
 * along but the one that says what the body is: who is asked now is not whom they were meant for.
 */
export function redirected(asked: Question, status: number, location: string): Question | undefined {
  if (asked.method === 'POST' && !SAME_QUESTION.has(status)) return undefined;
  const next = URL.parse(location, asked.address);
  if (!next) throw new UnsafeAddress('the redirect leads nowhere');
  if (asked.method === 'GET') return { address: next.href, method: 'GET', headers: {} };
  if (asked.address.startsWith('https:') && next.protocol !== 'https:')
    throw new UnsafeAddress('the redirect would send the body unencrypted');
  const kept = Object.entries(asked.headers).filter(([name]) => name.toLowerCase() === 'content-type');
  return { ...asked, address: next.href, headers: Object.fromEntries(kept) };
}
