import { iso31662 } from 'iso-3166';
import { placeKey } from './name-table.ts';

/** A state as found by name: `code` is its GeoNames code, 'DE.02'. */
interface NamedState {
  id: number;
  code: string;
  name: string;
}

/** Local names of states that the gazetteer names in English; ISO 3166 adds its codes and parts to these. */
const HOME_NAMES: Readonly<Record<string, string>> = {
  'AT.01': 'Burgenland',
  'AT.02': 'Kärnten',
  'AT.03': 'Niederösterreich',
  'AT.04': 'Oberösterreich',
  'AT.06': 'Steiermark',
  'AT.07': 'Tirol',
  'AT.09': 'Wien',
  'BE.BRU': 'Bruxelles|Brussel|Bruxelles-Capitale|Brussels|Brussels Hoofdstedelijk Gewest',
  'BE.VLG': 'Vlaanderen|Flandre|Vlaams Gewest',
  'BE.WAL': 'Wallonie|Wallonië|wallonne, Région',
  'BR.07': 'Distrito Federal',
  'CA.10': 'Québec',
  'CA.12': 'Yukon Territory',
  'CA.13': 'Northwest Territory|NWT',
  'CA.14': 'Nunavut Territory',
  'CH.BE': 'Berne',
  'CH.BS': 'Basel-Stadt|Basel',
  'CH.GE': 'Genève|Genf',
  'CH.GR': 'Graubünden|Grigioni',
  'CH.LU': 'Luzern',
  'CH.SG': 'Sankt Gallen|St. Gallen',
  'CH.VS': 'Wallis',
  'CH.VD': 'Waadt',
  'CH.ZH': 'Zürich',
  'DE.01': 'BW|Baden-Wuerttemberg',
  'DE.02': 'Bayern',
  'DE.05': 'Hessen',
  'DE.06': 'Niedersachsen',
  'DE.07': 'Nordrhein-Westfalen|NRW',
  'DE.08': 'Rhineland-Palatinate',
  'DE.12': 'Mecklenburg-Western Pomerania',
  'DE.13': 'Sachsen',
  'DE.14': 'Sachsen-Anhalt',
  'DE.15': 'Thüringen|Thueringen',
  'ES.07': 'Illes Balears|Islas Baleares|Baleares',
  'ES.31': 'Región de Murcia',
  'ES.32': 'Navarra|Nafarroa',
  'ES.34': 'Principado de Asturias',
  'ES.29': 'Comunidad de Madrid',
  'ES.51': 'Andalucía',
  'ES.52': 'Aragón',
  'ES.53': 'Canarias|Islas Canarias',
  'ES.54': 'Castilla-La Mancha',
  'ES.55': 'Castilla y León|Castile and León',
  'ES.56': 'Cataluña|Catalunya',
  'ES.59': 'País Vasco|Euskadi|Euskal Herria',
  'ES.60': 'Comunidad Valenciana|Comunitat Valenciana|Valencian Community',
  'FR.11': 'Ile de France|Région parisienne',
  'FR.28': 'Normandie',
  'FR.53': 'Bretagne',
  'FR.75': 'Nouvelle-Aquitaine',
  'FR.76': 'Occitania',
  'FR.93': 'PACA',
  'FR.94': 'Corse',
  'IT.01': 'Abruzzi',
  'IT.02': 'Basilicata',
  'IT.06': 'Friuli',
  'IT.09': 'Lombardia',
  'IT.10': 'Marche',
  'IT.12': 'Piemonte',
  'IT.13': 'Puglia',
  'IT.14': 'Sardegna',
  'IT.15': 'Sicilia',
  'IT.16': 'Toscana',
  'IT.17': 'Trentino-Alto Adige/Südtirol|Südtirol|Alto Adige|South Tyrol|Trentino',
  'IT.19': "Valle d'Aosta|Vallée d'Aoste",
  'MX.09': 'CDMX|Ciudad de México|Distrito Federal',
  'MX.15': 'Estado de México|Edomex',
  'NL.02': 'Fryslân',
  'NL.06': 'Noord-Brabant|Brabant',
  'NL.07': 'Noord-Holland',
  'NL.11': 'Zuid-Holland',
  'PL.72': 'Dolnośląskie',
  'PL.74': 'Łódzkie|Łódź',
  'PL.75': 'Lubelskie',
  'PL.76': 'Lubuskie',
  'PL.77': 'Małopolskie|Małopolska',
  'PL.78': 'Mazowieckie|Mazowsze|Masovia',
  'PL.79': 'Opolskie',
  'PL.80': 'Podkarpackie',
  'PL.81': 'Podlaskie',
  'PL.82': 'Pomorskie',
  'PL.83': 'Śląskie|Śląsk',
  'PL.85': 'Warmińsko-Mazurskie',
  'PL.86': 'Wielkopolskie|Wielkopolska',
  'PL.87': 'Zachodniopomorskie',
  'PT.14': 'Lisboa',
  'PT.23': 'Açores',
  'RU.66': 'Sankt-Peterburg',
  'US.DC': 'Washington DC|Washington D.C.',
};

/** Words for kinds of states; "Tula Oblast", "Tula Region" and "Tula" are one. */
const KINDS = new Set(
  (
    'the of state province region county department district oblast krai kray republic voivodeship prefecture ' +
    'governorate canton municipality territory departamento provincia estado wojewodztwo land kanton'
  ).split(' '),
);

/** The states of the world by name, code or abbreviation, each within its country. */
export class StateNames {
  #names = new Map<string, number>();
  /** Without the word for its kind; null where two states would share a name, as with Moscow and its oblast. */
  #bareNames = new Map<string, number | null>();
  /** Parts of states, by ISO 3166-2: Cork in Munster, Bas-Rhin in Alsace in Grand Est. */
  #parts = new Map<string, number>();

  constructor(states: Iterable<NamedState>) {
    for (const state of states) this.#addState(state);
    for (const { code, name } of iso31662) this.#addCode(code, name);
    const parents = new Map(iso31662.map(({ code, parent }) => [code, parent]));
    for (const { parent, name } of iso31662) this.#addPart(parents, parent, name);
  }

  /** "Bavaria", "Bayern", "BY" or "DE-BY" in DE -> the id of the state. */
  find(country: string, text: string): number | undefined {
    return (
      this.#names.get(exactKey(country, text)) ?? this.#bareNames.get(bareKey(country, text)) ?? undefined
    );
  }

  /** "Cork" in IE -> the id of Munster. */
  findAround(country: string, part: string): number | undefined {
    return this.#parts.get(bareKey(country, part));
  }

  #addState({ id, code, name }: NamedState): void {
    const [country = '', own = ''] = code.split('.');
    const home = HOME_NAMES[code]?.split('|') ?? [];
    for (const text of [name, ...home, ...(/^[A-Z]{2,3}$/.test(own) ? [own] : [])]) {
      this.#addName(country, text, id);
    }
  }

  #addName(country: string, text: string, id: number): void {
    const [exact, bare] = [exactKey(country, text), bareKey(country, text)];
    if (!this.#names.has(exact)) this.#names.set(exact, id);
    const other = this.#bareNames.get(bare);
    this.#bareNames.set(bare, other === undefined || other === id ? id : null);
  }

  /** If ISO's name is known, its code and the end of its code are added too: DE-BY, BY. */
  #addCode(code: string, name: string): void {
    const [country = '', own = ''] = code.split('-');
    const id = this.find(country, name) ?? (own.length > 1 ? this.find(country, own) : undefined);
    if (id === undefined) return;
    for (const text of [code, name, ...(/^[A-Z]{2,3}$/.test(own) ? [own] : [])]) {
      const key = exactKey(country, text);
      if (!this.#names.has(key)) this.#names.set(key, id);
    }
  }

  #addPart(parents: ReadonlyMap<string, string>, parent: string, name: string): void {
    const country = parent.slice(0, 2);
    for (let around: string | undefined = parent; around?.includes('-'); around = parents.get(around)) {
      const id = this.find(country, around);
      if (id !== undefined) this.#parts.set(bareKey(country, name), id);
    }
  }
}

const exactKey = (country: string, text: string): string => `${country}:${placeKey(text)}`;

function bareKey(country: string, text: string): string {
  const words = placeKey(text).split(' ');
  const kept = words.filter((word) => !KINDS.has(word));
  return `${country}:${(kept.length > 0 ? kept : words).join(' ')}`;
}
