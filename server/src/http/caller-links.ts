import type { Links } from '../opml/links.ts';

/** What one caller's links hold, and whether others' may hold the same. */
export interface CallerLinks extends Links {
  /** Names a listener or a device, so that nobody else ever asks for these bytes. */
  isPersonal: boolean;
}
