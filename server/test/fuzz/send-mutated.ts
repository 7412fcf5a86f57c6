import { Agent } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { FuzzCall } from './calls.ts';
import { type Outcome, send } from './send.ts';

interface MutatedCalls {
  origin: string;
  count: number;
  make: () => FuzzCall;
  /** What kind of answer it is, its status unless said otherwise; throws for one that is wrong. */
  judge: (call: FuzzCall, outcome: Outcome) => string | undefined;
  /** After each call, with how many were sent. */
  onSent?: (sent: number) => Promise<void>;
}

export interface SentCalls {
  sent: number;
  seconds: number;
  /** How many answers there were of each kind. */
  kinds: ReadonlyMap<string, number>;
  /** The first of those that were wrong, each with its call. */
  flaws: readonly string[];
}

/** Of an answer that is no failure; throws for others. */
export function textOf({ status, body, encoding }: Outcome): string {
  if (status >= 500) throw new Error(`HTTP status ${status}: ${body.toString().slice(0, 200)}`);
  const bytes = encoding === 'gzip' && body.length > 0 ? gunzipSync(body) : body;
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

const CONNECTIONS = 8;
const MAX_REPORTED = 10;

/** Sends calls to a service, some at a time, until all are sent or enough is wrong. */
export async function sendMutated({ origin, count, make, judge, onSent }: MutatedCalls): Promise<SentCalls> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const flaws: string[] = [];
  const kinds = new Map<string, number>();
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < count && flaws.length < MAX_REPORTED) {
      sent += 1;
      await onSent?.(sent);
      const call = make();
      try {
        const outcome = await send(origin, agent, call);
        const kind = judge(call, outcome) ?? String(outcome.status);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      } catch (error) {
        flaws.push(`${String(error)}\n  ${shortened(JSON.stringify(call))}`);
      }
    }
  };
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  agent.destroy();
  return { sent, kinds, flaws, seconds: (performance.now() - startedMs) / 1000 };
}

const shortened = (text: string): string => text.replaceAll(/(.)\1{20,}/g, '$1…').slice(0, 1500);
