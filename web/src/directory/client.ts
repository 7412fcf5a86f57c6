import { DirectoryClient } from '@longwave/client';
import { takeFirst } from './first-call.ts';
import type { Language } from '../i18n/languages.ts';

/**
 * The directory's links have the host name that radios use; the page requests them from its own origin, the only one
 * its policy allows.
 */
const askHere: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.origin);
  return (await takeFirst(pathname + search)) ?? fetch(new URL(pathname + search, location.origin), init);
};

const clients = new Map<Language, DirectoryClient>();

/** One client per language, shared by the whole site. */
export function directoryIn(language: Language): DirectoryClient {
  let client = clients.get(language);
  if (!client) {
    client = new DirectoryClient({ baseUrl: location.origin, locale: language, fetch: askHere });
    clients.set(language, client);
  }
  return client;
}
