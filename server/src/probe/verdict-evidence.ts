import { type Evidence, WEIGHTS } from '../catalog/reliability.ts';
import type { Verdict } from '../lib/verdict.ts';

/** What keeps us out may let listeners in: they are elsewhere, and there are fewer of them at a time. */
const OURS_ALONE = WEIGHTS.silent / 2;

const AGAINST: Readonly<Record<Exclude<Verdict, 'plays'>, number>> = {
  dead: WEIGHTS.silent,
  tls: WEIGHTS.silent,
  codec: WEIGHTS.silent,
  hls: WEIGHTS.silent,
  refused: OURS_ALONE,
  geo: OURS_ALONE,
  busy: OURS_ALONE,
};

/** How much a check speaks for or against a stream. */
export const evidenceOf = (verdict: Verdict, atMs: number): Evidence =>
  verdict === 'plays'
    ? { isGood: true, weight: WEIGHTS.heard, atMs }
    : { isGood: false, weight: AGAINST[verdict], atMs };
