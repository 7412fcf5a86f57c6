import type { Outline } from '../opml/document.ts';
import { contentOutline } from '../opml/config-outlines.ts';
import { en } from '../words/en.ts';
import type { MessageKey } from '../words/messages.ts';
import type { Words } from '../words/words.ts';

const isKey = (text: string): text is MessageKey => Object.hasOwn(en, text);
const KEYS = Object.keys(en).filter(isKey);

/** The words of our menus in the caller's language, for an application that names the same things on its own screens. */
export const contentOutlines = (words: Words): Outline[] =>
  KEYS.map((key) => contentOutline(key, words.text(key)));
