import { type Menu, type Params, callUrl } from '@longwave/client';
import type { Ask } from '../directory/use-answer.ts';
import type { Language } from '../words/languages.ts';

/** A call of the protocol by its own parameters, for what the client has no method for; the address is what radios ask. */
export const menuUrl = (path: string, params: Params, language: Language): string =>
  callUrl({ baseUrl: location.origin, locale: language }, path, params).href;

export const askMenu =
  (path: string, params: Params, language: Language): Ask<Menu> =>
  (directory, call) =>
    directory.follow({ url: menuUrl(path, params, language), text: path }, call);
