import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import { pt } from './pt.ts';
import { tr } from './tr.ts';
import type { Translation } from './messages.ts';

/** The languages the service speaks, by their two letters. */
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
