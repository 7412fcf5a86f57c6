import type { PageAnswer, PageCall } from '../http/page-endpoint.ts';
import { readCall } from '../http/reading.ts';
import { renderDocument } from '../http/render.ts';
import type { OpmlDocument } from '../opml/document.ts';
import { ownRoom } from '../opml/lay-out.ts';
import { textOutline } from '../opml/outlines.ts';
import { parseCallback } from '../opml/write-json.ts';
import { type Words, wordsFor } from '../words/words.ts';

export const REGISTER_PATH = '/listen/register';

/** What is answered under this path depends on it. */
export const BY_ACCEPT = { Vary: 'Accept, Accept-Encoding' };

/** Radios and their programs follow the index here too, and read a document of the protocol or nothing. */
export const isFromBrowser = ({ headers }: PageCall): boolean => /\btext\/html\b/i.test(headers.accept ?? '');

/** Tells a program's listener, in one line, where an account is made; undefined where there is no such page. */
export function registerLine({ query, caller }: PageCall, address: string | undefined): PageAnswer {
  const { params, render, globals } = readCall(query.slice(1));
  const words = globals.locale === undefined ? caller.words : wordsFor(globals.locale);
  const callback = render === 'json' ? params.optional('callback', parseCallback) : undefined;
  const wish = { render, callback, links: caller.links };
  // In memory of its own: others are answered before this is sent.
  const { contentType, body } = renderDocument(documentOf(words, address), wish, ownRoom);
  return {
    status: 200,
    contentType,
    body,
    cacheControl: 'private, no-cache',
    headers: {
      ...BY_ACCEPT,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}

const documentOf = (words: Words, address: string | undefined): OpmlDocument => ({
  title: words.text('browse.presets'),
  outlines: [
    textOutline(
      address === undefined
        ? words.text('browse.registerNowhere')
        : words.text('browse.registerAt', { address }),
    ),
  ],
});
