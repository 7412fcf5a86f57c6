import type { Bytes } from '../plain-bytes.ts';
import { type JsonItem, MAX_ITEM_BYTES, isSpace, parseItem, toBuffer, tooLong } from './item.ts';

const LINE_FEED = 0x0a;

/** One JSON value a line. A line that is broken or too long is an item of its own, and reading goes on after it. */
export async function* readJsonLines(bytes: Bytes): AsyncGenerator<JsonItem> {
  const line = new LineStart();
  let number = 0;
  for await (const chunk of bytes) {
    const buffer = toBuffer(chunk);
    let from = 0;
    for (let end = buffer.indexOf(LINE_FEED); end !== -1; end = buffer.indexOf(LINE_FEED, from)) {
      number += 1;
      const item = line.endWith(number, buffer.subarray(from, end));
      if (item) yield item;
      from = end + 1;
    }
    line.push(buffer.subarray(from));
  }
  const last = line.endWith(number + 1, Buffer.alloc(0));
  if (last) yield last;
}

/** What earlier chunks held of the line being read; beyond the bound only the fact that it is too long is kept. */
class LineStart {
  #parts: Buffer[] = [];
  #size = 0;

  push(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_ITEM_BYTES) this.#parts = [];
    // A copy, because the chunk it is cut from may be far larger and would be kept alive by it.
    else if (part.length > 0) this.#parts.push(Buffer.from(part));
  }

  endWith(number: number, part: Buffer): JsonItem | undefined {
    const size = this.#size + part.length;
    const whole = this.#parts.length === 0 ? part : Buffer.concat([...this.#parts, part]);
    this.#parts = [];
    this.#size = 0;
    if (size > MAX_ITEM_BYTES) return tooLong(number);
    return whole.every(isSpace) ? undefined : parseItem(number, whole);
  }
}
