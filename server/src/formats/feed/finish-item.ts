import type { Draft, Enclosure } from './draft.ts';
import { parseFeedDate } from './date.ts';
import { parseDuration } from './duration.ts';
import { type FeedItem, LIMITS } from './feed.ts';
import { plainLine, plainText } from './plain-text.ts';
import { absolute } from './absolute.ts';

/** What an item says, each thing from the best of the places where feeds say it. */
export function finishItem(draft: Draft, base: string | undefined): FeedItem {
  const enclosure = chooseEnclosure(draft);
  const address = enclosure && absolute(enclosure.address, base);
  const guid = draft
    .text('guid', 'id', 'rdf:about')
    ?.trim()
    .replaceAll('&amp;', '&')
    .slice(0, LIMITS.address);
  const title = plainLine(draft.text('title', 'itunes:title', 'dc:title', 'media:title') ?? '', LIMITS.title);
  const about = draft.text(
    'description',
    'itunes:summary',
    'summary',
    'content:encoded',
    'content',
    'dc:description',
  );
  const description = plainText(
    about ?? draft.text('media:description', 'itunes:subtitle') ?? '',
    LIMITS.description,
  );
  const durationSeconds = parseDuration(draft.text('itunes:duration') ?? enclosure?.duration ?? '');
  const published = parseFeedDate(
    draft.text('pubdate', 'published', 'issued', 'dc:date', 'created', 'updated', 'modified') ?? '',
  );
  const type = mediaType(enclosure?.type);
  return {
    ...(guid && { guid }),
    ...(title && { title }),
    ...(description && { description }),
    ...(address && { address }),
    ...(address && type && { type }),
    ...(durationSeconds && { durationSeconds }),
    ...(published && { published }),
  };
}

/** Without its parameters, of which one tells what the name does not: `audio/ogg; codecs=opus`. */
function mediaType(told = ''): string {
  const [name = '', ...parameters] = told.toLowerCase().split(';');
  const isOpus = parameters.some((parameter) => /^\s*codecs\s*=\s*"?opus\b/.test(parameter));
  return isOpus ? 'audio/opus' : name.trim().slice(0, 100);
}

/** Sound before anything that may be sound, that before pictures; otherwise what comes first. */
function chooseEnclosure({ enclosures, links }: Draft): Enclosure | undefined {
  const linked = links
    .filter(({ rel }) => rel === 'enclosure')
    .map(({ address, type }) => ({ address, type, duration: undefined }));
  const all = [...enclosures, ...linked];
  return (
    all.find(({ type }) => type?.startsWith('audio/')) ??
    all.find(({ type }) => !/^(?:image|text|video)\//.test(type ?? '')) ??
    all.find(({ type }) => type?.startsWith('video/'))
  );
}
