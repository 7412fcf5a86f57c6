import { isRadioName } from '../../core/devices/radio-names.ts';
import { wordsForHeader } from '../../core/i18n/locale.ts';
import { type Words, wordsFor } from '../../core/i18n/words.ts';
import { memoize } from '../../lib/memoize.ts';
import { decodeComponent } from '../../net/http/decode-component.ts';
import type { FileCall } from '../../net/http/endpoints/file-endpoint.ts';
import { parseHost } from '../../net/http/caller/origin.ts';
import { type Family, familyOf } from './families.ts';

/** What a radio asks for. */
export interface RadioRequest {
  /** The name of the file without its ending, in lower case: `navxml`. */
  page: string;
  /** Below `func`: stored stations and what is played. */
  isFunction: boolean;
  /** By their names in lower case. */
  params: ReadonlyMap<string, string>;
  family: Family;
  words: Words;
  /** `http://host`, the host that the radio knows. */
  origin: string;
  /** Where the pages of this radio are, below the host: `/setupapp/yamaha/asp/browsexml/`. */
  folder: string;
  /** The window of a list, counted from 0. */
  offset: number;
  limit: number;
  /** Whether the radio asked for a window; others see what is beyond the first one by a line "more". */
  isPaged: boolean;
  /** What stands for the radio: its hardware address, mixed with a token. */
  mac: string | undefined;
}

export function readRadioRequest(
  call: Pick<FileCall, 'file' | 'rawQuery' | 'headers' | 'peer'>,
): RadioRequest {
  const { headers } = call;
  const segments = call.file.split('/').filter((segment) => segment !== '');
  const { page, glued } = parseFileName(segments.at(-1) ?? '');
  const directory = segments.at(-2) ?? '';
  const params = readParams(glued === '' ? call.rawQuery : `${glued}&${call.rawQuery}`);
  const brand = segments.length > 1 && isSimple(segments[0]) ? segments[0] : 'lw';
  const family = familyOf(brand, params.get('fver') ?? '', headers['user-agent'] ?? '');
  const mac = params.get('mac') ?? params.get('ex45v') ?? '';
  const language = params.get('dlang');
  return {
    page,
    isFunction: directory.toLowerCase() === 'func',
    params,
    family,
    words: language === undefined ? wordsForHeader(headers['accept-language']) : wordsOfDlang(language),
    origin: originOf(call),
    folder: `/setupapp/${brand}/asp/${/^browse/i.test(directory) && isSimple(directory) ? directory : 'browsexml'}/`,
    ...windowOf(params, family.maxItems),
    mac: MAC.test(mac) ? mac : undefined,
  };
}

/** 20 to 40 hexadecimal digits as a rule; it means nothing to us. */
const MAC = /^[\w:.-]{6,64}$/;
const isSimple = (text: string | undefined): text is string => /^[\w-]{1,30}$/.test(text ?? '');

/**
 * `loginXML.asp`; also `loginXML.aspmac=A1…`, where the question mark was lost, and `loginXML.asp:80`, where the port was
 * glued to the path.
 */
function parseFileName(text: string): { page: string; glued: string } {
  const [, name = text, rest = ''] = /^(.*?)\.asp(.*)$/is.exec(text) ?? [];
  const glued = rest.replace(/:80$/, '').replace(/^[?&]/, '');
  return { page: name.replace(/:80$/, '').toLowerCase(), glued: glued.includes('=') ? glued : '' };
}

const MAX_PARAMS = 40;
const MAX_VALUE = 256;

/** Names differ in their case from model to model. The first of a name counts: what follows was appended blindly. */
function readParams(query: string): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  for (const pair of query.split('&', MAX_PARAMS)) {
    const mark = pair.indexOf('=');
    const name = decodeComponent(mark === -1 ? pair : pair.slice(0, mark))?.toLowerCase() ?? '';
    const value = decodeComponent(mark === -1 ? '' : pair.slice(mark + 1));
    if (name !== '' && value !== undefined && !params.has(name)) params.set(name, value.slice(0, MAX_VALUE));
  }
  return params;
}

/**
 * The name that the radio asked for, where it is one that radios have built in: they follow no link to another one. So
 * PUBLIC_HOSTS need not list them.
 */
function originOf({ headers, peer }: Pick<FileCall, 'headers' | 'peer'>): string {
  const host = parseHost(headers.host ?? '') ?? '';
  return isRadioName(host.replace(/:\d+$/, ''), 'vtuner') ? `http://${host}` : peer.origin;
}

/** `eng`, `ger`: the codes of libraries, which the runtime knows. */
const wordsOfDlang = memoize((text) => {
  try {
    return wordsFor(new Intl.Locale(text).language);
  } catch {
    return wordsForHeader(undefined);
  }
});

type Window = Pick<RadioRequest, 'offset' | 'limit' | 'isPaged'>;

/** From 1 on, with the last one: `start` and `howmany`, or `startitems` and `enditems`. */
function windowOf(params: ReadonlyMap<string, string>, maxItems: number): Window {
  const first = numberIn(params, 'startitems') ?? numberIn(params, 'start');
  const last = numberIn(params, 'enditems');
  const count = numberIn(params, 'howmany');
  if (first === undefined && last === undefined && count === undefined)
    return { offset: 0, limit: maxItems, isPaged: false };
  const offset = Math.max(1, first ?? 1) - 1;
  const wanted = count ?? (last === undefined ? maxItems : last - offset);
  return { offset, limit: Math.min(Math.max(1, wanted), maxItems), isPaged: true };
}

function numberIn(params: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = params.get(name) ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
