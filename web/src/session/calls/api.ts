import { takeFirst } from '../../directory/first-call.ts';

/** A refusal of the site's own API: `message` says what was wrong, `field` where to correct it. */
export class SiteFault extends Error {
  override name = 'SiteFault';
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, { code, message, field }: { code: string; message: string; field?: string }) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

const DEADLINE_MS = 15_000;
/** The second header proves that one of our own pages sent the request, which a form elsewhere cannot. */
const WRITING = { 'content-type': 'application/json', 'x-longwave': '1' };

interface Asked {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** One call under `/listen/api/`. The answer is in the language of the page. */
export async function askSite<T>(path: string, { method = 'GET', body, signal }: Asked = {}): Promise<T> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const address = `/listen/api/${path}`;
  const early = method === 'GET' ? await takeFirst(address) : undefined;
  const response =
    early ??
    (await fetch(address, {
      method,
      headers: { 'accept-language': document.documentElement.lang, ...(method === 'GET' ? {} : WRITING) },
      body: method === 'GET' ? null : JSON.stringify(body ?? {}),
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    }));
  const answer = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return answer;
  throw new SiteFault(response.status, answer?.error ?? { code: 'unknown', message: response.statusText });
}

/** The server's own fault, without a request. */
export const noSuchPlace = (): SiteFault =>
  new SiteFault(400, { code: 'site.invalid', message: '', field: 'place' });
