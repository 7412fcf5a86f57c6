import type { IncomingMessage, RequestListener } from 'node:http';

/**
 * At the root radios get the index and people the site. Only a browser opening a page sends `Sec-Fetch-Dest: document`
 * or, over plain HTTP, `Upgrade-Insecure-Requests`; Accept does not help, since radios accept anything too.
 */
export const sendBrowsersTo =
  (site: string, otherwise: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url !== '/' || !isNavigation(request)) return otherwise(request, response);
    // A shared cache must not give this answer to a radio.
    const headers = { Location: site, 'Cache-Control': 'no-store', 'Content-Length': '0' };
    response.writeHead(302, { ...headers, Vary: 'Sec-Fetch-Dest, Upgrade-Insecure-Requests' }).end();
  };

function isNavigation({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const dest = headers['sec-fetch-dest'];
  return dest === undefined ? headers['upgrade-insecure-requests'] === '1' : dest === 'document';
}
