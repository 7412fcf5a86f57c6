import { parseCountry } from '../catalog/country-names.ts';

const MAX_LENGTH = 100;
const MAX_REMEMBERED = 2000;
const remembered = new Map<string, string | undefined>();

/** An ISO 3166 code from the code or the name that a source gives, or undefined. */
export function cleanCountry(code: string | undefined, name: string | undefined): string | undefined {
  return remember(code) ?? remember(name);
}

/** Sources repeat a few hundred spellings, and comparing names costs 30 times a look-up. */
function remember(text: string | undefined): string | undefined {
  if (!text || text.length > MAX_LENGTH) return undefined;
  if (remembered.has(text)) return remembered.get(text);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const country = parseCountry(text);
  remembered.set(text, country);
  return country;
}
