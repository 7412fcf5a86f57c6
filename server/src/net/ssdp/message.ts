/** The Simple Service Discovery Protocol: HTTP heads in datagrams, to one port of one group. */
export const SSDP_GROUP = { address: '239.255.255.250', port: 1900 } as const;

/** How long others may keep what they heard of us. */
const MAX_AGE_SECONDS = 1800;
/** Questions have some 150 bytes; longer ones come from fuzzers. */
const MAX_QUESTION_BYTES = 2048;
/** Control points that name a longer time have given up by then. */
const MAX_WAIT_SECONDS = 3;
/** In a question: everything there is. */
const ALL = 'ssdp:all';

export interface SsdpQuestion {
  target: string;
  /** Answers come at a random time within it, so that not all devices of a house answer at once. */
  withinSeconds: number;
}

/** A device as it is announced. */
export interface SsdpDevice {
  /** `uuid:…` */
  udn: string;
  /** Types of the device and of its services. */
  types: readonly string[];
  /** `Linux/6.1 UPnP/1.0 Longwave/1.4` */
  server: string;
}

/** Undefined for anything but a search of devices. */
export function parseSsdpQuestion(datagram: Buffer): SsdpQuestion | undefined {
  if (datagram.length > MAX_QUESTION_BYTES) return undefined;
  const [start = '', ...lines] = datagram.toString('latin1').split(/\r?\n/);
  if (!/^M-SEARCH \* HTTP\/1\.[01]\s*$/.test(start)) return undefined;
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w.-]{1,40})\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    headers.set(name.toUpperCase(), value);
  }
  const target = headers.get('ST') ?? '';
  if (!/^"?ssdp:discover"?$/i.test(headers.get('MAN') ?? '') || target === '') return undefined;
  const seconds = /^\d{1,6}$/.test(headers.get('MX') ?? '') ? Number(headers.get('MX')) : 1;
  return { target, withinSeconds: Math.min(seconds, MAX_WAIT_SECONDS) };
}

/** All that a device answers to, with the name that it has for each. */
const targetsOf = ({ udn, types }: SsdpDevice): [target: string, usn: string][] => [
  ['upnp:rootdevice', `${udn}::upnp:rootdevice`],
  [udn, udn],
  ...types.map((type): [string, string] => [type, `${udn}::${type}`]),
];

const head = (start: string, headers: readonly (readonly [string, string])[]): Buffer =>
  Buffer.from([start, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'), 'latin1');

/** What is sent to whoever asked; nothing when the question is about somebody else. */
export function writeSsdpAnswers(question: SsdpQuestion, device: SsdpDevice, location: string): Buffer[] {
  const meant = targetsOf(device).filter(
    ([target]) => question.target === ALL || question.target.toLowerCase() === target.toLowerCase(),
  );
  return meant.map(([target, usn]) =>
    head('HTTP/1.1 200 OK', [
      ['CACHE-CONTROL', `max-age=${MAX_AGE_SECONDS}`],
      ['EXT', ''],
      ['LOCATION', location],
      ['SERVER', device.server],
      ['ST', target],
      ['USN', usn],
      ['Content-Length', '0'],
    ]),
  );
}

const NOTIFY = 'NOTIFY * HTTP/1.1';
const HOST = ['HOST', `${SSDP_GROUP.address}:${SSDP_GROUP.port}`] as const;

/** That the device is there, for everybody. */
export const writeAlive = (device: SsdpDevice, location: string): Buffer[] =>
  targetsOf(device).map(([target, usn]) =>
    head(NOTIFY, [
      HOST,
      ['CACHE-CONTROL', `max-age=${MAX_AGE_SECONDS}`],
      ['LOCATION', location],
      ['NT', target],
      ['NTS', 'ssdp:alive'],
      ['SERVER', device.server],
      ['USN', usn],
    ]),
  );

/** That it goes, or that what was heard of it before is no longer so. */
export const writeByebye = (device: SsdpDevice): Buffer[] =>
  targetsOf(device).map(([target, usn]) =>
    head(NOTIFY, [HOST, ['NT', target], ['NTS', 'ssdp:byebye'], ['USN', usn]]),
  );
