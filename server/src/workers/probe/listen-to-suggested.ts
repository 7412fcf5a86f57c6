import type { FailureCode } from '../../lib/failure-code.ts';
import { UnsafeAddress } from '../../net/fetch/fetch-failed.ts';
import type { SafeFetcher } from '../../net/fetch/fetch-safely.ts';
import {
  claimSuggestions,
  type DueSuggestion,
  noteSuggestionHeard,
  noteSuggestionSilent,
} from '../../storage/catalog/streams/suggestions.ts';
import type { Queryable } from '../../storage/db/pool.ts';
import type { DueJob } from '../runner/due-job.ts';
import { probeAddress, type ProbedNow } from './probe-now.ts';

interface SuggestedDeps {
  db: Queryable;
  /** The guarded one: strangers say where to connect to. */
  fetcher: SafeFetcher;
}

/** Few: the streams of the directory come first. */
const CONCURRENCY = 2;

/** Listens to streams that listeners suggest; an operator sees those that are heard. */
export const suggestedJob = (deps: SuggestedDeps): DueJob<DueSuggestion> => ({
  name: 'suggested',
  concurrency: CONCURRENCY,
  idOf: ({ address_key: key }) => key,
  claim: (most) => claimSuggestions(deps.db, most),
  work: (due, { cut }) => listenToSuggested(deps, due, cut),
});

export async function listenToSuggested(
  { db, fetcher }: SuggestedDeps,
  due: DueSuggestion,
  signal?: AbortSignal,
): Promise<'heard' | 'silent' | 'undecided'> {
  const silent = async (code: FailureCode, isUndecided = false): Promise<'silent' | 'undecided'> => {
    await noteSuggestionSilent(db, due, code, isUndecided);
    return isUndecided ? 'undecided' : 'silent';
  };
  let probed: ProbedNow;
  try {
    probed = await probeAddress(fetcher, due.address, signal);
  } catch (error) {
    if (error instanceof UnsafeAddress) return silent('bad_address');
    throw error;
  }
  if (probed.verdict === 'plays' && probed.facts) {
    await noteSuggestionHeard(db, due, probed.facts);
    return 'heard';
  }
  const code = probed.steps.at(-1)?.code ?? 'other';
  return silent(code, probed.undecided !== undefined || probed.verdict === 'busy');
}
