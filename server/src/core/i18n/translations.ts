import { en, type Translation } from './en.ts';
import { ar } from './translations/ar.ts';
import { bg } from './translations/bg.ts';
import { cs } from './translations/cs.ts';
import { da } from './translations/da.ts';
import { de } from './translations/de.ts';
import { el } from './translations/el.ts';
import { es } from './translations/es.ts';
import { fi } from './translations/fi.ts';
import { fr } from './translations/fr.ts';
import { he } from './translations/he.ts';
import { hi } from './translations/hi.ts';
import { hr } from './translations/hr.ts';
import { hu } from './translations/hu.ts';
import { id } from './translations/id.ts';
import { it } from './translations/it.ts';
import { ja } from './translations/ja.ts';
import { ko } from './translations/ko.ts';
import { nb } from './translations/nb.ts';
import { nl } from './translations/nl.ts';
import { pl } from './translations/pl.ts';
import { pt } from './translations/pt.ts';
import { ro } from './translations/ro.ts';
import { ru } from './translations/ru.ts';
import { sv } from './translations/sv.ts';
import { th } from './translations/th.ts';
import { tr } from './translations/tr.ts';
import { uk } from './translations/uk.ts';
import { vi } from './translations/vi.ts';
import { zh } from './translations/zh.ts';

/** The languages that listeners are answered in, by two-letter code; English takes the names of genres from the taxonomy. */
export const TRANSLATIONS: ReadonlyMap<string, Translation> = new Map<string, Translation>([
  ['ar', ar],
  ['bg', bg],
  ['cs', cs],
  ['da', da],
  ['de', de],
  ['el', el],
  ['en', { messages: en, genres: {} }],
  ['es', es],
  ['fi', fi],
  ['fr', fr],
  ['he', he],
  ['hi', hi],
  ['hr', hr],
  ['hu', hu],
  ['id', id],
  ['it', it],
  ['ja', ja],
  ['ko', ko],
  ['nb', nb],
  ['nl', nl],
  ['pl', pl],
  ['pt', pt],
  ['ro', ro],
  ['ru', ru],
  ['sv', sv],
  ['th', th],
  ['tr', tr],
  ['uk', uk],
  ['vi', vi],
  ['zh', zh],
]);
