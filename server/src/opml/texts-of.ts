import type { ByteText } from './byte-text.ts';
import type { Part, PlacedLines } from './parts.ts';

/** The parts as nothing but texts with a hole between each two. */
export function textsOf(parts: readonly Part[]): ByteText[] {
  const texts: ByteText[] = [];
  let isBehindLines = false;
  for (const part of parts) {
    if (typeof part !== 'string') addLines(texts, part);
    else if (isBehindLines) texts.push((texts.pop() ?? '') + part);
    else texts.push(part);
    isBehindLines = typeof part !== 'string';
  }
  return texts;
}

function addLines(texts: ByteText[], { slab, lines, separator, behindHole }: PlacedLines): void {
  let open = texts.pop() ?? '';
  for (const [place, line] of lines.entries()) {
    texts.push(open + (place > 0 ? separator : '') + slab.before(line));
    open = behindHole + slab.behind(line);
  }
  texts.push(open);
}
