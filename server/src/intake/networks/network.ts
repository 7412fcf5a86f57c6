import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { numberOf } from '../../lib/guide-id.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { withoutTrace } from '../../lib/without-trace.ts';

/** How a network's stations are known: by any one of these. */
export interface Network {
  name: string;
  homepage?: string;
  /** Of homepages, with all that is below them. */
  domains?: readonly string[];
  /** Words that names begin with. */
  names?: readonly string[];
  /** Words that stand anywhere in names. */
  words?: readonly string[];
  /** ISO 3166 codes; names count only there. Any country unless told. */
  countries?: readonly string[];
  /** The network that this one is part of: its stations are of both. */
  within?: string;
  /** Stations by their guide IDs, whatever they are called. */
  stations?: readonly string[];
}

const LISTS = ['domains', 'names', 'words', 'countries', 'stations'] as const;
const MOST_NETWORKS = 10_000;
const MOST_IN_A_LIST = 10_000;

/** The networks that come with the program. */
export const knownNetworks = (): Network[] =>
  parseNetworks(readFileSync(join(import.meta.dirname, 'networks.json'), 'utf8'));

/** A list of networks as JSON; an error says which of them is wrong, and how. */
export function parseNetworks(text: string): Network[] {
  const { networks, refused } = readNetworks(text);
  if (refused[0] !== undefined) throw new Error(refused[0]);
  return networks;
}

export interface ReadNetworks {
  networks: Network[];
  /** What is wrong with the others, one sentence each. */
  refused: string[];
}

/** The same for a list of somebody's: one that is wrong is left out, and the others count. */
export function readNetworks(text: string): ReadNetworks {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new Error('the file must be a JSON list of networks: [{"name": "…", …}]');
  if (value.length > MOST_NETWORKS) throw new Error(`the file has over ${MOST_NETWORKS} networks: split it`);
  const read: ReadNetworks = { networks: [], refused: [] };
  for (const [index, item] of value.entries()) {
    try {
      read.networks.push(networkOf(item, `network ${index + 1}`));
    } catch (error) {
      if (!(error instanceof WrongNetwork)) throw error;
      read.refused.push(error.message);
    }
  }
  return read;
}

class WrongNetwork extends Error {}

const wrong = (message: string): WrongNetwork => withoutTrace(() => new WrongNetwork(message));

function networkOf(value: unknown, which: string): Network {
  const { name, homepage, within, ...rest } = fieldsOf(value, which);
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    throw wrong(`${which} needs a "name" of 1 to 200 characters`);
  const where = `${which} ("${name}")`;
  const lists = LISTS.flatMap((list) =>
    rest[list] === undefined ? [] : [[list, textsOf(rest[list], list, where)]],
  );
  if (lists.length === 0)
    throw wrong(`${where} needs one of ${LISTS.join(', ')}: how are its stations known?`);
  const unknown = Object.keys(rest).find((key) => !LISTS.some((list) => list === key));
  if (unknown !== undefined) throw wrong(`${where} has "${unknown}", which means nothing here`);
  const network: Network = { name: name.trim(), ...Object.fromEntries(lists) };
  if (network.domains) network.domains = network.domains.map((domain) => domainIn(domain, where));
  if (network.countries) network.countries = network.countries.map((code) => countryCode(code, where));
  if (within !== undefined && typeof within !== 'string')
    throw wrong(`${where}: "within" must be the name of one network`);
  for (const id of network.stations ?? [])
    if (numberOf('s', id) === undefined)
      throw wrong(`${where}: "${id}" is no guide ID of a station, as s123 is`);
  return {
    ...network,
    ...(homepage === undefined ? {} : { homepage: pageOf(homepage, where) }),
    ...(within === undefined ? {} : { within }),
  };
}

function fieldsOf(value: unknown, which: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${which} is no object: {"name": "…", "domains": ["…"]}`);
  return { ...value };
}

function textsOf(value: unknown, list: string, where: string): string[] {
  const isList = Array.isArray(value) && value.length <= MOST_IN_A_LIST;
  const texts = isList ? value.filter((text) => typeof text === 'string' && text.trim() !== '') : [];
  if (!isList || texts.length < value.length || texts.length === 0)
    throw wrong(`${where}: "${list}" must be a list of texts`);
  return texts;
}

/** As homepages are known here; a whole address of one is taken for its host. */
function domainIn(text: string, where: string): string {
  const host = URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname.replace(/^www\.|\.$/g, '');
  if (host?.includes('.') === true) return host;
  throw wrong(`${where}: "${text}" is no domain, as radio.example is`);
}

function countryCode(text: string, where: string): string {
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  throw wrong(`${where}: "${text}" is no country's code of two letters, as IE is`);
}

function pageOf(value: unknown, where: string): string {
  if (typeof value === 'string' && value.length <= 2048 && /^https?:\/\//.test(value)) return value;
  throw wrong(`${where}: "homepage" must be an http or https address`);
}
