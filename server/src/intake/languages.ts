import { foldText } from '../lib/fold-text.ts';
import { languageNames } from './language-names.ts';

export const MAX_LANGUAGES = 5;

/** `de`, `ger`, `deu`, `de-CH`, `German`, `Deutsch` -> `de`; three letters only where there are no two. */
export function parseLanguage(text: string): string | undefined {
  const trimmed = text.trim().toLowerCase();
  const [, primary = ''] = /^([a-z]{2,3})(?:[-_][a-z0-9]{2,8})*$/.exec(trimmed) ?? [];
  const { codes, names } = languageNames();
  return codes.get(primary) ?? names.get(foldText(trimmed));
}

/** What a tag says about the language: "deutsch", "german pop", "música en español". */
export function parseLanguageTag(tag: string): string | undefined {
  const folded = foldText(tag);
  const [, before, after] = OF_LANGUAGE.exec(folded) ?? [];
  const code = languageNames().tagNames.get(before ?? after ?? folded);
  // Songs in English are sung on stations of every language.
  return after !== undefined && code === 'en' ? undefined : code;
}

const OF_LANGUAGE =
  /^(\p{L}+) (?:music|pop|pop music|rock|hits|songs|radio|fm|oldies|talk|news|folk|folk music|rap|hip hop|jazz|metal|classics|language)$|^(?:\p{L}+ )?(?:en|auf) (\p{L}+)$/u;

/** More than a record can mean, longer than a language is called. */
const [MAX_TEXTS, MAX_LENGTH] = [50, 60];
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, string | undefined>();

/** Codes of what a station speaks: what its source says, and only without that what its tags say. */
export function languagesOf(languages: readonly string[], tags: readonly string[]): string[] {
  const told = codesOf(languages, 'l', parseLanguage);
  return told.length > 0 ? told : codesOf(tags, 't', parseLanguageTag);
}

function codesOf(
  texts: readonly string[],
  kind: 'l' | 't',
  parse: (text: string) => string | undefined,
): string[] {
  const codes: string[] = [];
  for (const text of texts.slice(0, MAX_TEXTS)) {
    if (text.length > MAX_LENGTH) continue;
    const key = kind + text;
    let code = remembered.get(key);
    if (code === undefined && !remembered.has(key)) {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      code = parse(text);
      remembered.set(key, code);
    }
    if (code !== undefined && !codes.includes(code)) codes.push(code);
  }
  return codes.slice(0, MAX_LANGUAGES);
}
