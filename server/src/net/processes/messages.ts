import type { MetricsReport } from '../http/metrics.ts';

/** Between the first process of a command and those at work. Numbers tell which answer belongs to which question. */
export type ProcessMessage =
  | { process: 'ready' }
  /** Another has taken its place. */
  | { process: 'leave' }
  /** Is it at work? */
  | { process: 'look' }
  | { process: 'working' }
  /** A question that the first process answers. */
  | { process: 'ask'; ask: number; about: string; what: unknown }
  | { process: 'answer'; ask: number; answer: unknown }
  /** To the first process, which wants no answer, or from it to those at work. */
  | { process: 'tell'; about: string; what: unknown }
  /** What do all of them count? */
  | { process: 'gather'; ask: number }
  | { process: 'report'; round: number }
  | { process: 'reported'; round?: number; report: MetricsReport };

/** Commands send messages of their own beside these. */
export const isProcessMessage = (message: unknown): message is ProcessMessage =>
  typeof message === 'object' && message !== null && 'process' in message;
