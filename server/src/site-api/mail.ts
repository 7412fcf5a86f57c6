import type { Caller } from '../http/caller.ts';
import type { Post } from '../lib/post.ts';
import type { SiteApiNeeds } from './needs.ts';

export interface Mail {
  post: Post;
  /** Where a link in a letter leads to. */
  origin: string;
}

type MailNeeds = Pick<SiteApiNeeds, 'post' | 'siteHost' | 'publicHosts'>;

/**
 * How owners of accounts are written to; undefined where they cannot be. A link in a letter leads to a host that the
 * operator named, never to one that only the caller did: whoever asks in another's name would choose where the other's
 * link is opened.
 */
export function mailFor(
  { scheme, links }: Pick<Caller, 'scheme' | 'links'>,
  { post, siteHost, publicHosts = [] }: MailNeeds,
): Mail | undefined {
  if (!post) return undefined;
  if (siteHost !== undefined) return { post, origin: `${scheme}://${siteHost}` };
  return publicHosts.length > 0 ? { post, origin: links.origin } : undefined;
}
