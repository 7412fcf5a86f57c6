import type { Language } from '../i18n/languages.ts';

/** Of the address that was opened. */
interface OpenedAddress {
  /** Of the item, where the page is about one. */
  id: string;
  search: string;
}

/**
 * Asks for what a page shows first, before it is drawn: `first` of a page. What is drawn without its data is
 * drawn twice, which on a slow phone takes as long as to load the program. `first-call.js` begins the same calls while the
 * program is on its way.
 */
export type FirstData = (address: OpenedAddress, language: Language) => Promise<unknown>[];
