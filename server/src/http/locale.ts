import { isNamed, isSpoken } from '../words/words.ts';
import { remember } from './remember.ts';

/** What is answered in when a caller names no language. */
export const DEFAULT_LOCALE = 'en';

const TAG = /^([a-z]{2,3})(?:[-_]?([a-z]{4}))?(?:[-_]?([a-z]{2}|\d{3}))?(?:[-_][a-z\d]{1,8})*$/i;
/** What systems write behind it: the encoding, the money, the script as Java has it. */
const BESIDE = /(?:\.|@|_{1,2}#).*$/;

/**
 * `en-US`, `en_GB`, `enGB`, `de`, `zh-Hant-TW` -> the BCP 47 form: `en-US`, `en-GB`, `en-GB`, `de`, `zh-Hant-TW`. The
 * spelling of a language, the order of its letters and the like are left out.
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
 * Of the languages we speak, the one a caller would like best by its Accept-Language; when it reads none of them, one in
 * which countries and languages have names.
 */
export const preferredLocale = remember(
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
