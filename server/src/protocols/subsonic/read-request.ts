import type { BodyCall } from '../../net/http/endpoints/body-endpoint.ts';
import { decodeComponent } from '../../net/http/decode-component.ts';
import { readFormat, type ResponseFormat } from './write-response.ts';

/** `/rest/getPodcasts.view?id=p67`, or the same as a form. */
export interface SubsonicRequest {
  /** In lower case, without `.view`. */
  method: string;
  params: URLSearchParams;
  format: ResponseFormat;
}

const MAX_PARAMS = 200;

/** What a form says wins over the address. */
export function readSubsonicRequest({ path, query, body }: BodyCall): SubsonicRequest {
  const last = path.split('/').findLast((part) => part !== '') ?? '';
  const method = (decodeComponent(last) ?? '').replace(/\.view$/i, '').toLowerCase();
  const form = new URLSearchParams(body.length === 0 ? '' : body.toString('utf8'));
  const all = [...form, ...query].slice(0, MAX_PARAMS).map(([name, value]) => [name, cleaned(value)]);
  const params = new URLSearchParams(all);
  return {
    method,
    params,
    format: readFormat(params.get('f') ?? undefined, params.get('callback') ?? undefined),
  };
}

/** PostgreSQL takes neither half a character nor a NUL. */
const cleaned = (value: string): string => value.toWellFormed().replaceAll('\0', '');

export const paramOf = ({ params }: SubsonicRequest, name: string): string | undefined =>
  params.get(name) || undefined;

/** A whole number within bounds. */
export function countOf({ params }: SubsonicRequest, name: string, usual: number, most: number): number {
  const text = params.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : usual;
}
