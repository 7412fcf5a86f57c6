import { UNKNOWN_DEVICE } from '../../../core/devices/profiles.ts';
import type { Words } from '../../../core/i18n/words.ts';
import type { OpmlDocument, Outline } from '../../../formats/opml/document.ts';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { ALL_FORMATS } from '../../../lib/stream-format.ts';
import type { Caller } from './caller.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { readParams } from './params.ts';

/**
 * What the protocol answers to anybody, for a caller in this process: `('/Browse.ashx', 'id=g1', words)`. Undefined
 * where there is no such item. A Fault where the answer needs the database and that is away.
 */
type ReadMenu = (path: string, query: string, words: Words) => Promise<OpmlDocument | undefined>;

/** Reads these endpoints without HTTP: the same actions over the same caches, as somebody who is nobody. */
export function menuReader(endpoints: readonly Endpoint[], clock: Clock = systemClock): ReadMenu {
  const byPath = new Map(endpoints.flatMap((endpoint) => endpoint.paths.map((path) => [path, endpoint])));
  return async (path, query, words) => {
    const params = readParams(query);
    const call: Call = {
      params,
      caller: nobody(words),
      path,
      askedPath: path,
      method: 'GET',
      headers: {},
      render: 'json',
      serialKey: undefined,
      device: UNKNOWN_DEVICE,
      now: clock.now(),
    };
    const endpoint = byPath.get(path);
    const action = endpoint?.actions.get(params.text('c')?.toLowerCase() ?? '') ?? endpoint?.fallback?.(call);
    try {
      const answer = await action?.(call);
      if (answer === undefined) return undefined;
      const document = 'menu' in answer ? answer.document() : answer;
      if (!('outlines' in document)) return undefined;
      return { ...document, outlines: document.outlines.flatMap(lineByLine) };
    } catch (error) {
      if (error instanceof Fault && (error.status === 400 || error.status === 404)) return undefined;
      throw error;
    }
  };
}

/** Lines that are kept as written become lines again. */
function lineByLine(outline: Outline): Outline[] {
  const { run, children } = outline;
  if (run) return run.lines.map((line) => run.source.outlineOf(line));
  return children ? [{ ...outline, children: children.flatMap(lineByLine) }] : [outline];
}

const nobody = (words: Words): Caller => ({
  partnerId: undefined,
  partner: undefined,
  username: undefined,
  serial: undefined,
  isNamed: false,
  formats: ALL_FORMATS,
  locale: words.language,
  words,
  latlon: undefined,
  securityIp: '127.0.0.1',
  geoIp: '127.0.0.1',
  scheme: 'https',
  globals: {},
  links: { origin: '', suffix: '', isPersonal: false },
});
