import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutTrace } from '../../lib/fault.ts';
import { numberOf } from '../../lib/guide-id.ts';
import { parseJson } from '../../lib/parse-json.ts';

/** How a network's stations are recognised: any one of these suffices. */
export interface BroadcastNetwork {
  name: string;
  homepage?: string;
  /** Of homepages, including subdomains. */
  domains?: readonly string[];
  /** Words at the beginning of names. */
  names?: readonly string[];
  /** Words anywhere in names. */
  words?: readonly string[];
  /** ISO 3166 codes; names count only there. Default: any country. */
  countries?: readonly string[];
  /** The network that this one is part of: its stations belong to both. */
  within?: string;
  /** Stations by guide ID, whatever their names. */
  stations?: readonly string[];
}

const LISTS = ['domains', 'names', 'words', 'countries', 'stations'] as const;
const MAX_NETWORKS = 10_000;
const MAX_PER_LIST = 10_000;

/** The networks that come with the program. */
export const knownNetworks = (): BroadcastNetwork[] =>
  parseNetworks(readFileSync(join(import.meta.dirname, 'networks.json'), 'utf8'));

/** A list of networks as JSON; an error says which of them is wrong, and how. */
export function parseNetworks(text: string): BroadcastNetwork[] {
  const { networks, refused } = readNetworks(text);
  if (refused[0] !== undefined) throw new Error(refused[0]);
  return networks;
}

interface ReadNetworks {
  networks: BroadcastNetwork[];
  /** What is wrong with the others, one sentence each. */
  refused: string[];
}

/** The same for an operator's list: a wrong entry is left out, and the others count. */
export function readNetworks(text: string): ReadNetworks {
  const value = parseJson(text);
  if (!Array.isArray(value)) throw new Error('the file must be a JSON list of networks: [{"name": "…", …}]');
  if (value.length > MAX_NETWORKS) throw new Error(`the file has over ${MAX_NETWORKS} networks: split it`);
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

function networkOf(value: unknown, which: string): BroadcastNetwork {
  const { name, homepage, within, ...rest } = fieldsOf(value, which);
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    throw wrong(`${which} needs a "name" of 1 to 200 characters`);
  const where = `${which} ("${name}")`;
  const lists = LISTS.flatMap((list) =>
    rest[list] === undefined ? [] : [[list, textsOf(rest[list], list, where)]],
  );
  if (lists.length === 0)
    throw wrong(`${where} needs one of ${LISTS.join(', ')}, by which its stations are recognised`);
  const unknown = Object.keys(rest).find((key) => !LISTS.some((list) => list === key));
  if (unknown !== undefined) throw wrong(`${where} has "${unknown}", which is not a known key`);
  const network: BroadcastNetwork = { name: name.trim(), ...Object.fromEntries(lists) };
  if (network.domains) network.domains = network.domains.map((domain) => domainIn(domain, where));
  if (network.countries) network.countries = network.countries.map((code) => countryCode(code, where));
  if (within !== undefined && typeof within !== 'string')
    throw wrong(`${where}: "within" must be the name of one network`);
  for (const id of network.stations ?? [])
    if (numberOf('s', id) === undefined)
      throw wrong(`${where}: "${id}" is not a station's guide ID such as s123`);
  return {
    ...network,
    ...(homepage === undefined ? {} : { homepage: pageOf(homepage, where) }),
    ...(within === undefined ? {} : { within }),
  };
}

function fieldsOf(value: unknown, which: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${which} is not an object: {"name": "…", "domains": ["…"]}`);
  return { ...value };
}

function textsOf(value: unknown, list: string, where: string): string[] {
  const isList = Array.isArray(value) && value.length <= MAX_PER_LIST;
  const texts = isList ? value.filter((text) => typeof text === 'string' && text.trim() !== '') : [];
  if (!isList || texts.length < value.length || texts.length === 0)
    throw wrong(`${where}: "${list}" must be a list of strings`);
  return texts;
}

/** Normalised like homepages; a full URL is reduced to its host. */
function domainIn(text: string, where: string): string {
  const host = URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname.replace(/^www\.|\.$/g, '');
  if (host?.includes('.') === true) return host;
  throw wrong(`${where}: "${text}" is not a domain such as radio.example`);
}

function countryCode(text: string, where: string): string {
  if (/^[a-z]{2}$/i.test(text)) return text.toUpperCase();
  throw wrong(`${where}: "${text}" is not a two-letter country code such as IE`);
}

function pageOf(value: unknown, where: string): string {
  if (typeof value === 'string' && value.length <= 2048 && /^https?:\/\//.test(value)) return value;
  throw wrong(`${where}: "homepage" must be an http or https address`);
}
