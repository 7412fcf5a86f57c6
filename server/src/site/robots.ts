import type { PageEndpoint } from '../http/page-endpoint.ts';

/** Pages are for search engines too; the directory itself is endless, and radios need it more. */
const LINES = ['User-agent: *', 'Allow: /listen/', 'Disallow: /listen/api/', 'Disallow: /', ''];

export const robots: PageEndpoint = {
  path: '/robots.txt',
  answer: () => ({
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: Buffer.from(LINES.join('\n')),
    cacheControl: 'public, max-age=86400',
  }),
};
