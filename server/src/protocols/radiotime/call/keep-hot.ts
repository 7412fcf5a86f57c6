import type { IncomingMessage } from 'node:http';
import { suffixBytes } from '../../../formats/opml/compile.ts';
import { suffixAroundSerial } from '../../../formats/opml/links.ts';
import type { Reply } from '../../../net/http/respond.ts';
import type { Answer, Call, Endpoint, MenuAnswer } from './endpoint.ts';
import { deviceAddress, type HotAnswers } from './hot-answers.ts';
import type { HotPage } from './hot-page.ts';
import type { MenuCache } from './menu-cache.ts';
import { whatOf } from './note-call.ts';
import { namesOnlyDevice, parseQuery, type ParsedQuery } from './parse-query.ts';
import type { RenderOptions } from './render.ts';

/** A call that was answered with a menu for all. */
interface AnsweredCall extends RenderOptions {
  answer: Answer & MenuAnswer;
  reply: Reply & { opmlStatus: number };
  reading: ParsedQuery;
  call: Call;
  endpoint: Endpoint;
  request: IncomingMessage;
  route: string;
  c: string;
}

/** What browsers send is shorter; whatever is kept with a page is held as long as the page is. */
const MAX_ACCEPT_LANGUAGE = 200;

interface Kept {
  menus: MenuCache;
  hot: HotAnswers;
}

/** Keeps the page for those who ask in the same words, or differ by their serial alone, once its bytes are kept. */
export function keepHot({ menus, hot }: Kept, answered: AnsweredCall): void {
  const { answer, reading, call, endpoint, request, render, callback, links } = answered;
  const { url = '', method, headers } = request;
  if ((headers['accept-language']?.length ?? 0) > MAX_ACCEPT_LANGUAGE) return;
  const { globals, params } = reading;
  // The choice of a device by name is the device's own.
  if (answer.saved || callback !== undefined || globals.device !== undefined || method !== 'GET') return;
  if (!links.isPersonal) {
    const body = menus.finished(answer, render, links);
    const page = body && !hot.has(url) ? pageOf(answered) : undefined;
    if (page && body) hot.keep(url, { ...page, body });
    return;
  }
  const menu = menus.compiled(answer, render, links);
  const { partner } = call.caller;
  if (!menu || !partner || !namesOnlyDevice(params)) return;
  const address = deviceAddress(url);
  if (address?.serial !== globals.serial || address === undefined || hot.has(url)) return;
  const { savesNothing = () => true } = endpoint;
  const anybody = parseQuery(withoutSerial(address.shared));
  const page = pageOf(answered);
  if (!page || anybody.isPersonal) return;
  const { notation } = menu;
  // A serial that was cut out of an address is written as it is.
  const [before, behind] = suffixAroundSerial(globals);
  const suffix = [suffixBytes(notation, before), suffixBytes(notation, behind)] as const;
  const kept = { menu: new WeakRef(menu), suffix, savesNothing };
  hot.keepMenu(address.shared, { ...page, reading: anybody, partner, ...kept });
}

function pageOf({ answer, reply, reading, call, links, ...asked }: AnsweredCall): HotPage | undefined {
  const watch = answer.watch?.();
  if (!watch || watch.isSame?.() === false) return undefined;
  const { body: _body, lifetime, opmlStatus, ...rest } = reply;
  const { noStore, maxAgeSeconds, isForAll } = lifetime;
  const { route, c, request } = asked;
  return {
    // Not the answer itself, which holds the directory it was made from.
    reply: { ...rest, lifetime: { noStore, maxAgeSeconds, isForAll } },
    outcome: { route, c, status: reply.status, opmlStatus },
    watch,
    path: call.path,
    what: whatOf({ path: call.path, params: reading.params }),
    reading,
    partner: call.caller.partner,
    origin: links.origin,
    acceptLanguage: reading.globals.locale === undefined ? request.headers['accept-language'] : null,
  };
}

/** The query of an address whose serial was cut out. */
const withoutSerial = (shared: string): string =>
  shared.slice(shared.indexOf('?') + 1).replace(/(?:^|&)serial=\*(?=&|$)/, '');
