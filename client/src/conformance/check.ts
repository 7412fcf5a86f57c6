import type { Kit } from './kit.ts';

/** One statement that a server keeps or breaks, as seen from outside. */
export interface Check {
  /** Names the statement for ever: `4.1-local`, `rule-9`. */
  id: string;
  statement: string;
  run: (kit: Kit) => Promise<unknown>;
}

export interface Section {
  id: string;
  title: string;
  checks: readonly Check[];
}
