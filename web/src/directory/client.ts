import { DirectoryClient } from '@longwave/client';
import type { Language } from '../words/languages.ts';

/**
 * The directory writes links with the address that radios know it by; the page asks where it came from itself, which is
 * the only address its policy lets it read.
 */
const askHere: typeof fetch = (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.origin);
  return fetch(new URL(pathname + search, location.origin), init);
};

const clients = new Map<Language, DirectoryClient>();

/** The one client of the site in each language. */
export function directoryIn(language: Language): DirectoryClient {
  let client = clients.get(language);
  if (!client) {
    client = new DirectoryClient({ baseUrl: location.origin, locale: language, fetch: askHere });
    clients.set(language, client);
  }
  return client;
}
