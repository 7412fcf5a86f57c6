import type { IncomingMessage, RequestListener } from 'node:http';

/**
 * At the root radios find the index, and people the site. Only a browser that opens a page for somebody says
 * `Sec-Fetch-Dest: document`, or, over plain HTTP, `Upgrade-Insecure-Requests`; what it accepts is no guide, since radios
 * accept anything too.
 */
export const sendBrowsersTo =
  (site: string, otherwise: RequestListener): RequestListener =>
  (request, response) => {
    if (request.url !== '/' || !isNavigation(request)) return otherwise(request, response);
    // Whoever keeps answers must not give a radio this one.
    const headers = { Location: site, 'Cache-Control': 'no-store', 'Content-Length': '0' };
    response.writeHead(302, { ...headers, Vary: 'Sec-Fetch-Dest, Upgrade-Insecure-Requests' }).end();
  };

function isNavigation({ method, headers }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const dest = headers['sec-fetch-dest'];
  return dest === undefined ? headers['upgrade-insecure-requests'] === '1' : dest === 'document';
}
