import type { Frame } from './texts.ts';

/** Something that reads text which a caller or a far server gives. */
export interface Reader {
  name: string;
  read: (text: string) => unknown;
  /** What has to stand around a text so that the reader goes on to the parts that could take long. */
  frames: readonly Frame[];
  /** Pieces that mean something to this reader. */
  pieces: readonly string[];
}

export const reader = (
  name: string,
  read: (text: string) => unknown,
  pieces: readonly string[] = [],
  ...frames: Frame[]
): Reader => ({ name, read, pieces, frames: [['', ''], ...frames] });

/** As one chunk, which is how a body arrives. */
export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

export async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  // oxlint-disable-next-line no-unused-vars -- only reading them counts
  for await (const _ of items);
}
