/** Fetches from names that change their address with every question, in an internet of its own; writes what came of it. */
import { SafeFetcher } from '../../../src/net/fetch/fetch-safely.ts';
import { LazyAbortSignal } from '../../../src/net/fetch/deadline.ts';
import { lookUpBy, publicInternet } from '../../../src/net/fetch/policy.ts';
import { OUTSIDE, PORT, SECRET, startCanary } from '../../internet/canary-host.ts';
import { HOSTILE_IPS } from '../../internet/hostile-addresses.ts';
import { startNameServer } from '../../servers/name-server.ts';

export interface RebindingReport {
  questions: number;
  outcomes: Record<string, number>;
  heard: Record<string, number>;
  /** What the inside hears of one who asks for the name twice. */
  heardUnguarded: number;
}

const TRIES = Number(process.env['REBINDING_TRIES'] ?? 1000);
/** The seats of one network, which the outside is. */
const CONCURRENCY = 10;
const INSIDE = HOSTILE_IPS.filter((ip) => !ip.includes(':'));

await using canary = await startCanary();
let questions = 0;
/** Every other question has an answer from the inside, whichever question that is. */
await using names = await startNameServer((_name, kind) => {
  if (kind === 'AAAA') return [];
  questions += 1;
  return [questions % 2 === 1 ? OUTSIDE : INSIDE[(questions / 2) % INSIDE.length]!];
});
const resolve = lookUpBy([names.server]);
const fetcher = new SafeFetcher({ policy: { ...publicInternet, resolve } });

/** Every second try is sent on to its own name, which has moved since then. */
async function tryOnce(index: number): Promise<string> {
  const own = `http://rebind${index}.example.net:${PORT}/`;
  const address = index % 2 === 0 ? own : `${own}redirect?to=${encodeURIComponent(own)}`;
  try {
    const { body } = await fetcher.fetch(address);
    return body.toString() === SECRET ? 'answered' : 'something else';
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

const outcomes: Record<string, number> = {};
let next = 0;
async function keepTrying(): Promise<void> {
  for (let index = next++; index < TRIES; index = next++) {
    const outcome = await tryOnce(index);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
}
await Promise.all(Array.from({ length: CONCURRENCY }, keepTrying));
const heard = Object.fromEntries(canary.heard);
const asked = questions;

/** Looks first and then asks for the name again, as a check before an ordinary fetch does. */
let heardUnguarded = 0;
for (let tries = 0; tries < 10; tries += 1) {
  const [looked = ''] = await resolve('rebind.example.net', new LazyAbortSignal());
  if (!publicInternet.isAllowed(looked)) continue;
  const policy = { ...publicInternet, resolve, isAllowed: () => true };
  const { address } = await new SafeFetcher({ policy })
    .fetch(`http://rebind.example.net:${PORT}/`)
    .catch(() => ({ address: '' }));
  heardUnguarded += address === '' ? 0 : 1;
}

const report: RebindingReport = { questions: asked, outcomes, heard, heardUnguarded };
process.stdout.write(JSON.stringify(report));
