import { type Words, isNamed, isSpoken, wordsFor } from './words.ts';
import { memoize } from '../../lib/memoize.ts';

/** Used when a caller names no language. */
const DEFAULT_LOCALE = 'en';

const TAG = /^([a-z]{2,3})(?:[-_]?([a-z]{4}))?(?:[-_]?([a-z]{2}|\d{3}))?(?:[-_][a-z\d]{1,8})*$/i;
/** Suffixes that systems add: the encoding, the currency, the script as Java writes it. */
const BESIDE = /(?:\.|@|_{1,2}#).*$/;

/**
 * `en-US`, `en_GB`, `enGB`, `de`, `zh-Hant-TW` -> the BCP 47 form: `en-US`, `en-GB`, `en-GB`, `de`, `zh-Hant-TW`.
 * Extensions such as spelling and sort order are dropped.
 */
export function parseLocale(text: string): string | undefined {
  const [, language, script, region] = TAG.exec(text.trim().replace(BESIDE, '')) ?? [];
  if (language === undefined) return undefined;
  let locale = language.toLowerCase();
  if (script !== undefined) locale += `-${script.charAt(0).toUpperCase()}${script.slice(1).toLowerCase()}`;
  if (region !== undefined) locale += `-${region.toUpperCase()}`;
  return locale;
}

/**
 * The supported language that a caller prefers by its Accept-Language; if it reads none of them, one that has names for
 * countries and languages.
 */
export const preferredLocale = memoize(
  (acceptLanguage) =>
    mostWanted(acceptLanguage, isSpoken) ?? mostWanted(acceptLanguage, isNamed) ?? DEFAULT_LOCALE,
);

function mostWanted(acceptLanguage: string, isGood: (locale: string) => boolean): string | undefined {
  let best: string | undefined;
  let bestWeight = 0;
  for (const entry of acceptLanguage.split(',', 30)) {
    const [tag = '', ...settings] = entry.split(';');
    const weight = weightOf(settings);
    const locale = weight > bestWeight ? parseLocale(tag) : undefined;
    if (locale !== undefined && isGood(locale)) [best, bestWeight] = [locale, weight];
  }
  return best;
}

function weightOf(settings: readonly string[]): number {
  const [, digits] = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(settings[0] ?? 'q=1') ?? [];
  return digits === undefined ? 0 : Number(digits);
}

/** The words in the supported language nearest to the Accept-Language header. */
export const wordsForHeader = (acceptLanguage: string | undefined): Words =>
  wordsOf(preferredLocale(acceptLanguage ?? ''));

const wordsOf = memoize(wordsFor);
