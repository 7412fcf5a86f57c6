import { wordsForHeader } from '../../../core/i18n/locale.ts';
import { type Words, wordsFor } from '../../../core/i18n/words.ts';
import { ownRoom } from '../../../formats/opml/compile.ts';
import type { OpmlDocument } from '../../../formats/opml/document.ts';
import { textOutline } from '../../../formats/opml/outlines.ts';
import { parseCallback } from '../../../formats/opml/write-json.ts';
import type { PageAnswer, PageCall } from '../../../net/http/endpoints/page-endpoint.ts';
import { parseQuery } from '../call/parse-query.ts';
import { renderDocument } from '../call/render.ts';

/** A one-line document that tells where to register; undefined where there is no such page. */
export function registerLine({ query, headers, peer }: PageCall, address: string | undefined): PageAnswer {
  const { params, render, globals } = parseQuery(query.slice(1));
  const words =
    globals.locale === undefined ? wordsForHeader(headers['accept-language']) : wordsFor(globals.locale);
  const callback = render === 'json' ? params.optional('callback', parseCallback) : undefined;
  const options = { render, callback, links: { origin: peer.origin, suffix: '', isPersonal: true } };
  // In its own buffer: other answers are written before this one is sent.
  const { contentType, body } = renderDocument(documentOf(words, address), options, ownRoom);
  return {
    status: 200,
    contentType,
    body,
    cacheControl: 'private, no-cache',
    headers: {
      Vary: 'Accept, Accept-Encoding',
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
