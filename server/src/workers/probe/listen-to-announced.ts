import ipaddr from 'ipaddr.js';
import { nameKey } from '../../core/cleaning/clean-name.ts';
import { identify } from '../../formats/audio/identify.ts';
import { UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import { Deadline } from '../../net/fetch/deadline.ts';
import { HostBusy } from '../../net/fetch/host-limiter.ts';
import type { Policy } from '../../net/fetch/policy.ts';
import { TuneInFailed } from '../../net/tuner/tune-in-failed.ts';
import { tuneIn } from '../../net/tuner/tune-in.ts';
import { readSome } from '../../net/tuner/tuned-in.ts';
import {
  claimAnnounced,
  type DueAnnounced,
  noteHeard,
  noteSilent,
} from '../../storage/catalog/streams/announced-streams.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { DueJob } from '../runner/due-job.ts';

export interface AnnouncedDeps {
  db: Queryable;
  fetcher: SafeFetcher;
  resolve: Policy['resolve'];
}

/** Few: strangers say what there is to listen to, and the streams of the directory come first. */
const CONCURRENCY = 4;
const [DEADLINE_MS, LISTEN_MS, LOOKUP_MS] = [12_000, 6000, 5000];
const LISTEN_BYTES = 16 * 1024;
const MAX_PROBLEM_LENGTH = 500;

/** Listens to streams that servers announce. What is heard and proven is imported later. */
export const announcedJob = (deps: AnnouncedDeps): DueJob<DueAnnounced> => ({
  name: 'announced',
  concurrency: CONCURRENCY,
  idOf: ({ address_key: key }) => key,
  claim: (most) => claimAnnounced(deps.db, most),
  work: (due, { cut }) => listenToAnnounced(deps, due, cut),
});

export type AnnouncedOutcome = 'proven' | 'unproven' | 'silent' | 'busy';

export async function listenToAnnounced(
  deps: AnnouncedDeps,
  due: DueAnnounced,
  signal?: AbortSignal,
): Promise<AnnouncedOutcome> {
  const silent = async (problem: string): Promise<'silent'> => {
    await noteSilent(deps.db, due, problem.toWellFormed().replaceAll('\0', '').slice(0, MAX_PROBLEM_LENGTH));
    return 'silent';
  };
  let streamName: string | undefined;
  try {
    const heard = await hear(deps.fetcher, due.address, signal);
    if (!heard) return await silent('what came is in no known audio format');
    streamName = heard.name;
  } catch (error) {
    // Nothing was found out; the claim has put it off.
    if (error instanceof TuneInFailed && error.cause instanceof HostBusy) return 'busy';
    if (error instanceof TuneInFailed || error instanceof UnsafeAddress) return silent(error.message);
    throw error;
  }
  const isHost = await isHostOf(deps, due, signal);
  const isNamed = streamName !== undefined && nameKey(streamName) === nameKey(due.name);
  const proof = isHost ? 'host' : isNamed ? 'name' : undefined;
  await noteHeard(deps.db, due, proof, proof === undefined ? UNPROVEN : undefined);
  return proof === undefined ? 'unproven' : 'proven';
}

const UNPROVEN = 'it was not announced from its own host, and the stream itself has another name';

/** Undefined where it is no sound that we know. */
async function hear(
  fetcher: SafeFetcher,
  address: string,
  signal: AbortSignal | undefined,
): Promise<{ name: string | undefined } | undefined> {
  using tuned = await tuneIn(fetcher, address, { deadlineMs: DEADLINE_MS, signal });
  const { audio } = await readSome(tuned, LISTEN_BYTES, LISTEN_MS);
  const known = await identify(audio, tuned.headers.get('content-type'));
  return known && { name: tuned.headers.get('icy-name') };
}

/** Whether the announcement came from one of the addresses that the stream's host has. */
async function isHostOf(
  { resolve }: AnnouncedDeps,
  { address, caller }: DueAnnounced,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const host = new URL(address).hostname.replaceAll(/^\[|\]$/g, '');
  const plain = plainAddress(caller);
  if (ipaddr.isValid(host)) return plainAddress(host) === plain;
  using deadline = new Deadline(LOOKUP_MS, signal);
  try {
    return (await resolve(host, deadline)).some((one) => plainAddress(one) === plain);
  } catch {
    return false;
  }
}

/** Of one spelling; an IPv4 address in IPv6 is that of IPv4. */
const plainAddress = (text: string): string =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
