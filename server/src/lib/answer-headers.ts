/** As undici gives them: a header that came several times is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const headerOf = (headers: AnswerHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** What to ask "anything new since?" with. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

const [LONGEST_ETAG, LONGEST_DATE] = [1024, 100];

/** What does not fit its column, or cannot be sent back in a header as it came, is not kept. */
export const validatorsOf = (headers: AnswerHeaders): Validators => ({
  etag: kept(headerOf(headers, 'etag'), LONGEST_ETAG),
  lastModified: kept(headerOf(headers, 'last-modified'), LONGEST_DATE),
});

const kept = (text: string | undefined, most: number): string | undefined =>
  text !== undefined && text.length <= most && /^[\x20-\x7e]+$/.test(text) ? text : undefined;

export const conditionsOf = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag !== undefined && { 'if-none-match': etag }),
  ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
});

/** From `Cache-Control: max-age`; 0 when it says nothing, or not to keep it. */
export function freshSecondsOf(headers: AnswerHeaders): number {
  const control = headerOf(headers, 'cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const [, seconds = '0'] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control) ?? [];
  return Number(seconds);
}

/** From `Retry-After`, seconds or a date; 0 when there is none that can be read. */
export function retryAfterSecondsOf(headers: AnswerHeaders, now: Temporal.Instant): number {
  const text = headerOf(headers, 'retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.round((at - now.epochMilliseconds) / 1000));
}

/** All `Link` headers as one. */
export const linksOf = ({ link }: AnswerHeaders): string | undefined =>
  Array.isArray(link) ? link.join(', ') : link;
