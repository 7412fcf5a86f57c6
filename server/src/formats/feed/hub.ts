import { absolute } from './absolute.ts';
import type { Feed } from './feed.ts';

const LINK = /<([^<>]*)>([^<]*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

/** The first link of each kind in an HTTP `Link` header, as it is written. */
export function parseLinks(header: string): Map<string, string> {
  const links = new Map<string, string>();
  for (const [, address = '', params = ''] of header.matchAll(LINK)) {
    const [, quoted, bare] = REL.exec(params) ?? [];
    for (const rel of (quoted ?? bare ?? '').toLowerCase().split(/\s+/))
      if (!links.has(rel)) links.set(rel, address);
  }
  return links;
}

/** Whom to ask for news of a feed, and under which name the feed is known there. */
export interface Hub {
  hub: string;
  topic: string;
}

/**
 * The hub of a feed that was read at `address`: what its server says in the `Link` header, else what the feed says. A
 * feed that names a hub and not itself is known by where it was read.
 */
export function hubOf(
  feed: { [Key in 'hub' | 'self']?: Feed[Key] | undefined },
  linkHeader: string | undefined,
  address: string,
): Hub | undefined {
  const links = parseLinks(linkHeader ?? '');
  const linked = links.get('hub');
  const hub = linked ? absolute(linked, address) : undefined;
  if (hub) return { hub, topic: asWritten(links.get('self') ?? '', address) ?? feed.self ?? address };
  return feed.hub === undefined ? undefined : { hub: feed.hub, topic: feed.self ?? address };
}

/** An address letter by letter where it is whole: a hub knows a feed by the name that the feed's owner tells it. */
export function asWritten(text: string, base: string | undefined): string | undefined {
  const whole = text === '' ? undefined : absolute(text, base);
  const plain = text.trim().replaceAll('&amp;', '&');
  return whole !== undefined && /^https?:\/\/[\x21-\x7E]+$/i.test(plain) ? plain : whole;
}
