import { preferredLocale } from '../../../core/i18n/locale.ts';
import { TRANSLATIONS } from '../../../core/i18n/translations.ts';
import { type Words, wordsFor } from '../../../core/i18n/words.ts';
import type { PageCall } from '../../../net/http/endpoints/page-endpoint.ts';
import type { SiteWords } from './build.ts';

/** Who a page is written for. */
export interface Reader {
  /** `https://listen.example.org` */
  origin: string;
  words: Words;
  /** The language that the address itself asks for by `lang`; undefined where the browser's own counts. */
  lang: string | undefined;
}

/** Every language a page can be had in: those that the directory is translated into. */
export const LANGUAGES: readonly string[] = [...TRANSLATIONS.keys()];

/** Links use the site's own host, otherwise the host that radios use. */
export function readerOf({ headers, query, peer }: PageCall, siteHost: string | undefined): Reader {
  const asked = new URLSearchParams(query).get('lang')?.toLowerCase();
  const lang = asked !== undefined && TRANSLATIONS.has(asked) ? asked : undefined;
  return {
    origin: siteHost === undefined ? peer.origin : `${peer.scheme}://${siteHost}`,
    words: wordsFor(lang ?? preferredLocale(headers['accept-language'] ?? '')),
    lang,
  };
}

/** An address of the site in a language: `/listen/browse?id=g1&lang=de`. */
export const inLanguage = (address: string, lang: string | undefined): string =>
  lang === undefined ? address : `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`;

/** What the site says, by the keys of `web/src/i18n`; the key itself where a build does not say it. */
export type Say = (key: string) => string;

export const sayIn = (words: SiteWords, { words: { spoken } }: Reader): Say => {
  const [own, english] = [words.get(spoken), words.get('en')];
  return (key) => own?.[key] ?? english?.[key] ?? key;
};
