import type { PageAnswer, PageEndpoint } from '../../../net/http/endpoints/page-endpoint.ts';
import { KeptBuild } from './kept-build.ts';
import { PAGE_HEADERS } from './policy.ts';
import { fileAnswer } from './site-file.ts';

const BASE = '/docs/';
/** Nothing but files of its own, one of which is the script of the search. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** The documentation that `npm run docs:site` built: pages and their files, with the caching of the site's own. */
export function docs(folder: string): PageEndpoint[] {
  const kept = new KeptBuild(folder, undefined, true);
  const find = (path: string) =>
    [path, `${path}.html`, `${path}index.html`].map((name) => kept.find(name)).find(Boolean);
  return [
    { path: '/docs', answer: () => ({ ...text(302, `The documentation is at ${BASE}`), location: BASE }) },
    {
      path: `${BASE}*`,
      answer(call) {
        if (!kept.current())
          return text(404, 'The documentation is not built here; build it with: npm run docs:site');
        const path = call.path.slice(BASE.length);
        const file = find(path);
        if (!file) return text(404, `There is no such page; ${BASE} lists all`);
        const answer = fileAnswer(file, path, call);
        return {
          ...answer,
          headers: { ...PAGE_HEADERS, ...answer.headers, 'Content-Security-Policy': POLICY },
        };
      },
    },
  ];
}

const text = (status: number, words: string): PageAnswer => ({
  status,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(`${words}\n`),
  cacheControl: 'no-store',
});
