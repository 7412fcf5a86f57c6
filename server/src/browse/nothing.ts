import type { Outline } from '../opml/document.ts';
import { textOutline } from '../opml/outlines.ts';
import type { Words } from '../words/words.ts';

/** An empty menu says so: some radios show nothing at all otherwise. */
export const orNothing = ({ words }: { words: Words }, outlines: Outline[]): Outline[] =>
  outlines.length > 0 ? outlines : [textOutline(words.text('browse.nothing'))];
