/** Headers as undici returns them: a repeated header is a list. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

const headerOf = (headers: AnswerHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** For conditional requests. */
export interface Validators {
  etag?: string | undefined;
  lastModified?: string | undefined;
}

const [MAX_ETAG_LENGTH, MAX_DATE_LENGTH] = [1024, 100];

/** Drops validators that do not fit their column or cannot be sent back unchanged in a header. */
export const validatorsOf = (headers: AnswerHeaders): Validators => ({
  etag: kept(headerOf(headers, 'etag'), MAX_ETAG_LENGTH),
  lastModified: kept(headerOf(headers, 'last-modified'), MAX_DATE_LENGTH),
});

const kept = (text: string | undefined, most: number): string | undefined =>
  text !== undefined && text.length <= most && /^[\x20-\x7e]+$/.test(text) ? text : undefined;

export const conditionsOf = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag !== undefined && { 'if-none-match': etag }),
  ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
});

/** From `Cache-Control: max-age`; 0 when absent or when caching is forbidden. */
export function freshSecondsOf(headers: AnswerHeaders): number {
  const control = headerOf(headers, 'cache-control') ?? '';
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const [, seconds = '0'] = /(?:^|[\s,])max-age="?(\d{1,9})/i.exec(control) ?? [];
  return Number(seconds);
}

/** From `Retry-After`, seconds or a date; 0 when absent or unreadable. */
export function retryAfterSecondsOf(headers: AnswerHeaders, now: Temporal.Instant): number {
  const text = headerOf(headers, 'retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, Math.round((at - now.epochMilliseconds) / 1000));
}

/** All `Link` headers as one. */
export const linksOf = ({ link }: AnswerHeaders): string | undefined =>
  Array.isArray(link) ? link.join(', ') : link;
