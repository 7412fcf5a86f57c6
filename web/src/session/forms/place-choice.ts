import type { PlaceChoice } from '../calls/account-calls.ts';
import type { Place } from '../calls/place-calls.ts';

/** Postal codes of the United States and of Canada, which identify a place by themselves. */
const POSTAL = /^(?:\d{5}(?:-\d{4})?|[a-z]\d[a-z] ?\d[a-z]\d)$/i;

/** The value to send: the chosen town, or a postal code as typed; undefined if it is neither. */
export function placeChoice(text: string, place: Place | undefined): PlaceChoice | undefined {
  if (place) return { id: place.id };
  const typed = text.trim();
  return POSTAL.test(typed) ? { postal: typed } : undefined;
}

/** "Springfield, Illinois, United States", with the country in the reader's language. */
export function writePlace({ city, state, country, countryName }: Place, language: string): string {
  const land = country === undefined ? undefined : (countryIn(country, language) ?? countryName);
  return [city, state === city ? undefined : state, land].filter(Boolean).join(', ');
}

function countryIn(code: string, language: string): string | undefined {
  try {
    return new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }).of(code);
  } catch {
    return undefined;
  }
}
