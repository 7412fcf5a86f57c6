import { Fault } from '../lib/fault.ts';

/** An id that names nothing, or nothing that can be browsed. */
export const unknownId = (why: string): Fault =>
  new Fault(400, 'request.idInvalid', `Invalid ID for browse: ${why}`);

export const unknownCategory = (): Fault => new Fault(400, 'id', 'Invalid category');

export const unknownClassifier = (): Fault => new Fault(400, undefined, 'Invalid root category');
