import { foldText } from '../lib/fold-text.ts';
import { networkOf } from './refused-hosts.ts';

/** Editors who sign whatever they enter. Their marks say nothing about sound, language or place. */
const SIGNATURES = new Set(['moi merino', 'drgnu', 'ridwan', 'schwany', 'juanjitos']);
const SIGNED = /^(?:added|edited|submitted|uploaded|entered|checked) by /;

/** More than a person would choose; what comes first is what the editor thought of first. */
export const MAX_TAGS = 30;

/** Tags that say something, without repetitions and signatures. */
export function tellingTags(tags: readonly string[]): string[] {
  const telling = new Set<string>();
  for (const tag of tags) {
    const text = tag.trim().toLowerCase();
    if (text !== '' && text.length <= 60 && !SIGNATURES.has(text) && !SIGNED.test(text)) telling.add(text);
    if (telling.size === MAX_TAGS) break;
  }
  return [...telling];
}

/**
 * Networks of internet channels that are heard everywhere and belong nowhere, with the country of their office. Filed
 * there they bury its own stations: of 1,755 records of the Emirates 1,649 are one network's.
 */
const PLACELESS_NETWORKS = new Map([
  ['AE', new Set(['exclusive.radio', 'uber.radio', 'ticktock.radio', 'positivity.radio', 'mystreaming.net'])],
  ['RU', new Set(['radcap.ru'])],
]);

/** The network that a record's country is only the office of, by the hosts of its stream and its page. */
export function findPlacelessNetwork(
  countryCode: string | undefined,
  hosts: readonly (string | undefined)[],
): string | undefined {
  const networks = PLACELESS_NETWORKS.get(countryCode ?? '');
  return networks && hosts.map((host) => networkOf(host ?? '')).find((network) => networks.has(network));
}

/**
 * Countries that records name by mistake or to be found first: the first of every form's list, places without people,
 * and one that spam has chosen. They are believed when something else in the record speaks of them.
 */
const DOUBTFUL_COUNTRIES: Record<string, string[]> = {
  AF: ['afghan', 'kabul', 'kandahar', 'herat', 'pashto', 'pashtu', 'dari', 'hazara', 'افغان', 'کابل'],
  AQ: ['antarctic', 'mcmurdo'],
  BV: ['bouvet'],
  GI: ['gibraltar'],
  GS: ['south georgia'],
  HM: ['heard island'],
  IO: ['diego garcia', 'chagos', 'indian ocean'],
  TF: ['kerguelen', 'crozet', 'terres australes'],
  UM: ['wake island', 'midway', 'johnston'],
};

export interface Claim {
  countryCode: string;
  name: string;
  hosts: readonly (string | undefined)[];
  words: readonly (string | undefined)[];
}

/** Whether a record's country may be believed. */
export function isCredibleCountry({ countryCode, name, hosts, words }: Claim): boolean {
  const signs = DOUBTFUL_COUNTRIES[countryCode];
  if (!signs) return true;
  if (hosts.some((host) => host?.endsWith(`.${countryCode.toLowerCase()}`))) return true;
  const said = foldText([name, ...words, ...hosts].join(' '));
  return signs.some((sign) => said.includes(sign));
}
