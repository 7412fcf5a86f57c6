import { escapeXml } from '../../formats/opml/characters.ts';
import { createXmlParser } from '../../formats/xml-parser.ts';
import { Fault } from '../../lib/fault.ts';

/** A call of an action: its name and its arguments, by name. */
export interface SoapCall {
  action: string;
  args: ReadonlyMap<string, string>;
}

/** Calls have under 2 kB; the longest are searches. */
export const MAX_SOAP_BYTES = 16_384;
/** Envelope, Body, action, argument: nothing is deeper. */
const MAX_DEPTH = 4;
const MAX_ARGS = 20;

/** The codes that the standard has for what a control point does wrong. */
const UPNP_ERRORS = {
  invalidAction: 401,
  invalidArgs: 402,
  noSuchObject: 701,
  badSearch: 708,
  badSort: 709,
  noSuchContainer: 710,
  cannotProcess: 720,
} as const;

/** An error that is answered in SOAP, as HTTP 500, which is what the standard asks for. */
export class SoapFault extends Fault {
  override name = 'SoapFault';
  readonly upnpCode: number;

  constructor(kind: keyof typeof UPNP_ERRORS, message: string) {
    super(400, undefined, message);
    this.upnpCode = UPNP_ERRORS[kind];
  }
}

/** Reads the body of a call; prefixes are whatever the caller likes. */
export function parseSoapCall(body: string): SoapCall {
  const path: string[] = [];
  const args = new Map<string, string>();
  let action: string | undefined;
  let text = '';
  const parser = createXmlParser({ position: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type has no place in it');
  });
  parser.on('opentag', ({ name }) => {
    path.push(localName(name));
    text = '';
    if (path.length > MAX_DEPTH) throw new Error('it is nested too deep');
    if (path.length === 3 && isInBody(path)) action ??= path[2];
  });
  const hear = (more: string): void => void (text += more);
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.on('closetag', () => {
    const name = path.at(-1) ?? '';
    if (path.length === MAX_DEPTH && isInBody(path) && args.size < MAX_ARGS) args.set(name, text);
    path.pop();
    text = '';
  });
  try {
    parser.write(body).close();
  } catch (error) {
    throw new Fault(
      400,
      undefined,
      `The body is no SOAP call: ${error instanceof Error ? error.message : ''}`,
    );
  }
  if (action === undefined) throw new Fault(400, undefined, 'The body is no SOAP call: it names no action');
  return { action, args };
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
const isInBody = ([envelope, body]: readonly string[]): boolean => envelope === 'Envelope' && body === 'Body';

const envelope = (inside: string): string =>
  '<?xml version="1.0" encoding="utf-8"?>\n' +
  '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/">' +
  `<s:Body>${inside}</s:Body></s:Envelope>\n`;

export type SoapResult = readonly (readonly [name: string, value: string | number])[];

export function writeSoapResult(service: string, action: string, result: SoapResult): string {
  const values = result.map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`).join('');
  return envelope(`<u:${action}Response xmlns:u="${service}">${values}</u:${action}Response>`);
}

export const writeSoapFault = (code: number, message: string): string =>
  envelope(
    '<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>' +
      `<UPnPError xmlns="urn:schemas-upnp-org:control-1-0"><errorCode>${code}</errorCode>` +
      `<errorDescription>${escapeXml(message)}</errorDescription></UPnPError></detail></s:Fault>`,
  );
