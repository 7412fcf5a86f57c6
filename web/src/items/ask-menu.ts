import { type Menu, type Params, callUrl } from '@longwave/client';
import type { Ask } from '../directory/use-answer.ts';
import type { Language } from '../i18n/languages.ts';

/** A protocol call by its own parameters, where the client has no method for it; radios use the same address. */
export const menuUrl = (path: string, params: Params, language: Language): string =>
  callUrl({ baseUrl: location.origin, locale: language }, path, params).href;

export const askMenu =
  (path: string, params: Params, language: Language): Ask<Menu> =>
  (directory, call) =>
    directory.follow({ url: menuUrl(path, params, language), text: path }, call);
