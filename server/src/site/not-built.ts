import type { PageAnswer } from '../http/page-endpoint.ts';
import { PAGE_HEADERS, PLAIN_POLICY } from './policy.ts';

const PAGE = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>Longwave: the site is not built</title>
  <style>
    :root { color-scheme: light dark; font: 1.125rem/1.6 Georgia, serif; }
    body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem;
      background: light-dark(#faf7f2, #14130f); color: light-dark(#1d1b18, #efe9dd); }
    main { max-width: 36rem; }
    code { font-size: 0.95em; }
  </style>
  <main>
    <h1>The site is not built yet</h1>
    <p>Radios are answered as ever. For people there is a site, and it has to be built once on this machine:</p>
    <p><code>npm run build -w web</code></p>
    <p>Then open this page again. Nothing has to be restarted. <code>SITE=off</code> turns the site off.</p>
    <p><a href="/Browse.ashx">What radios read</a></p>
  </main>
</html>
`;

/** Says to the operator how to have a site. */
export const notBuilt = (): PageAnswer => ({
  status: 501,
  contentType: 'text/html; charset=utf-8',
  body: Buffer.from(PAGE),
  cacheControl: 'no-store',
  headers: { ...PAGE_HEADERS, 'Content-Security-Policy': PLAIN_POLICY },
});
