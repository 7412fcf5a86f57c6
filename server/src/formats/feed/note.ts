import { addTo, type Draft } from './draft.ts';
import type { Place } from './places.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Writes down what an element says by its attributes. */
export function noteAttributes(draft: Draft, name: string, attributes: Attributes): void {
  const { href, url, text, term, label } = attributes;
  const category = label ?? term;
  if (name === 'link') noteLink(draft, attributes);
  else if (name === 'itunes:category' && text) addTo(draft.categories, text);
  else if (name === 'category' && category) addTo(draft.categories, category);
  else if (name === 'itunes:image' || name === 'podcast:image') draft.tell(name, href ?? url ?? '');
  else if (ENCLOSURES.has(name)) noteEnclosure(draft, attributes);
}

const ENCLOSURES = new Set(['enclosure', 'enc:enclosure', 'media:content']);

function noteLink(draft: Draft, { href, rel = 'alternate', type }: Attributes): void {
  if (href) addTo(draft.links, { rel: rel.toLowerCase(), address: href, type });
}

function noteEnclosure(draft: Draft, attributes: Attributes): void {
  const { url, href, type, duration } = attributes;
  const address = url ?? href ?? attributes['rdf:resource'] ?? attributes['enc:url'];
  if (address) addTo(draft.enclosures, { address, type: type ?? attributes['enc:type'], duration });
}

/** An element with its text, and where it stands. */
export interface ReadText {
  name: string;
  attributes: Attributes;
  around: Place;
  text: string;
}

/** Writes down what an element says by its text. */
export function noteText(draft: Draft, { name, attributes, around, text }: ReadText): void {
  if (around === 'image' || around === 'person') draft.tell(around, text);
  else if (name === 'podcast:person') noteHost(draft, attributes['role'], text);
  else if (name !== 'category' && name !== 'dc:subject') draft.tell(name, text);
  else if (text.trim() !== '') addTo(draft.categories, text);
}

/** Guests and editors are named too; who has no role is a host. */
function noteHost(draft: Draft, role = 'host', name = ''): void {
  if (/^(?:co-?)?host$/i.test(role.trim())) addTo(draft.hosts, name);
}
