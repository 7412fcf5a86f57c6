import type { Answer } from '../http/endpoint.ts';

/** What says only that it was done. */
export const DONE: Answer = { outlines: [], noStore: true };
