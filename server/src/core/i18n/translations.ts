import { en, type Translation } from './en.ts';
import { de } from './translations/de.ts';
import { es } from './translations/es.ts';
import { fr } from './translations/fr.ts';
import { it } from './translations/it.ts';
import { ja } from './translations/ja.ts';
import { nl } from './translations/nl.ts';
import { pl } from './translations/pl.ts';
import { pt } from './translations/pt.ts';
import { tr } from './translations/tr.ts';

/** The languages that listeners are answered in, by two-letter code; English takes the names of genres from the taxonomy. */
export const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map<string, Translation>([
  ['de', de],
  ['en', { messages: en, genres: {} }],
  ['es', es],
  ['fr', fr],
  ['it', it],
  ['ja', ja],
  ['nl', nl],
  ['pl', pl],
  ['pt', pt],
  ['tr', tr],
]);
