import { curlLine, type Reply } from './reply.ts';

/** A statement that was broken: what was expected, what came, and how to see it again. */
export class Mismatch extends Error {
  override name = 'Mismatch';
  readonly expected: string;
  readonly came: string;
  readonly repeat: string | undefined;

  constructor(expected: string, came: string, repeat?: string) {
    super(`expected ${expected}, came ${came}`);
    this.expected = expected;
    this.came = came;
    this.repeat = repeat;
  }
}

/** This server has nothing to show the statement by. */
export class NotShown extends Error {
  override name = 'NotShown';
}

/** Ends the check when the statement does not hold for this reply. */
export function expect(reply: Reply, holds: boolean, expected: string, came: string): asserts holds {
  if (!holds) throw new Mismatch(expected, shorten(came), curlLine(reply.request));
}

/** The check cannot be made here, and says why. */
export function deps<T>(value: T | undefined, reason: string): asserts value is T {
  if (value === undefined) throw new NotShown(reason);
}

const MAX_LENGTH = 300;

export const shorten = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
