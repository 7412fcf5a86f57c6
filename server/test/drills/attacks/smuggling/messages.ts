/** Requests in which one reader sees the end where another does not, and what is hidden between the two ends. */
export interface Message {
  name: string;
  /** With the hidden request inside of what belongs to it, or to be refused. */
  bytes: string;
}

/** Whom a message and what is hidden in it are from: both come back in the answer, and in the service's log. */
export interface Ids {
  own: string;
  hidden: string;
}

export const HOST = 'radio.example';
/** Answered as a call of a function of that name, by a caller of that name. */
export const target = (id: string): string => `/Browse.ashx?render=json&callback=${id}&partnerId=${id}`;

const hiddenRequest = (id: string): string => `GET ${target(id)} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`;

interface Parts {
  method?: string;
  version?: string;
  lines: readonly string[];
  body: string;
}

const written = ({ own }: Ids, { method = 'GET', version = '1.1', lines, body }: Parts): string =>
  `${[`${method} ${target(own)} HTTP/${version}`, `Host: ${HOST}`, ...lines].join('\r\n')}\r\n\r\n${body}`;

const chunk = (text: string, size = text.length.toString(16)): string => `${size}\r\n${text}\r\n`;
const LAST = '0\r\n\r\n';

/** A line that only some take for the length, or for another one than others do. */
const LENGTHS: readonly [name: string, line: (length: number) => string][] = [
  ['a second length', (n) => `Content-Length: ${n}`],
  ['a space before the colon', (n) => `Content-Length : ${n}`],
  ['a tab before the colon', (n) => `Content-Length\t: ${n}`],
  ['a fold before the value', (n) => `Content-Length:\r\n ${n}`],
  ['a fold that looks like a line', (n) => `X: y\r\n Content-Length: ${n}`],
  ['a fold by a tab', (n) => `X: y\r\n\tContent-Length: ${n}`],
  ['a bare CR', (n) => `X: y\rContent-Length: ${n}`],
  ['a bare LF', (n) => `X: y\nContent-Length: ${n}`],
  ['a NUL in the name', (n) => `Content-Length\0: ${n}`],
  ['an underscore', (n) => `Content_Length: ${n}`],
  ['a sign', (n) => `Content-Length: +${n}`],
  ['a minus', (n) => `Content-Length: -${n}`],
  ['hexadecimal', (n) => `Content-Length: 0x${n.toString(16)}`],
  ['a list', (n) => `Content-Length: ${n}, ${n}`],
  ['a fraction', (n) => `Content-Length: ${n}.0`],
  ['more than 64 bits', (n) => `Content-Length: ${2n ** 64n + BigInt(n)}`],
  ['nothing', () => 'Content-Length:'],
  ['a vertical tab', (n) => `Content-Length:\v${n}`],
];

/** A line that only some take for a body in chunks. */
const CODINGS: readonly [name: string, line: string][] = [
  ['chunks', 'Transfer-Encoding: chunked'],
  ['chunks in capitals', 'TRANSFER-ENCODING: CHUNKED'],
  ['chunks with a space before the colon', 'Transfer-Encoding : chunked'],
  ['chunks with a tab before the value', 'Transfer-Encoding:\tchunked'],
  ['chunks with a vertical tab', 'Transfer-Encoding:\vchunked'],
  ['chunks with a NUL', 'Transfer-Encoding: chunked\0'],
  ['chunks in quotation marks', 'Transfer-Encoding: "chunked"'],
  ['chunks in a fold', 'Transfer-Encoding:\r\n chunked'],
  ['chunks in a fold that looks like a line', 'X: y\r\n Transfer-Encoding: chunked'],
  ['chunks after a bare CR', 'X: y\rTransfer-Encoding: chunked'],
  ['chunks after a bare LF', 'X: y\nTransfer-Encoding: chunked'],
  ['chunks by an unknown name', 'Transfer-Encoding: xchunked'],
  ['chunks and then not', 'Transfer-Encoding: chunked, identity'],
  ['chunks twice', 'Transfer-Encoding: chunked, chunked'],
  ['compressed chunks', 'Transfer-Encoding: gzip, chunked'],
  ['no coding', 'Transfer-Encoding: identity'],
  ['chunks with an underscore', 'Transfer_Encoding: chunked'],
  ['chunks with a parameter', 'Transfer-Encoding: chunked;q=1'],
];

/** The size of the only chunk, as nobody should write it. */
const SIZES: readonly [name: string, size: (length: number) => string][] = [
  ['a chunk in 0x', (n) => `0x${n.toString(16)}`],
  ['a chunk with a sign', (n) => `+${n.toString(16)}`],
  ['a chunk below nothing', (n) => `-${n.toString(16)}`],
  ['a chunk after a space', (n) => ` ${n.toString(16)}`],
  ['a chunk before a space', (n) => `${n.toString(16)} `],
  ['a chunk over 64 bits', (n) => `1${n.toString(16).padStart(16, '0')}`],
  ['a chunk with an extension', (n) => `${n.toString(16)};a=b`],
  ['a chunk with a LF in its extension', (n) => `${n.toString(16)};a\n0`],
  ['a chunk with a CR in its extension', (n) => `${n.toString(16)};a\r0`],
  ['a chunk without a size', () => ''],
];

/** What is right first and what contradicts it after it, and the other way round. */
const ORDERS: readonly [name: string, inOrder: (right: string, wrong: string) => string[]][] = [
  [' and', (right, wrong) => [right, wrong]],
  [' after', (right, wrong) => [wrong, right]],
];
const CHUNKED = 'Transfer-Encoding: chunked';

/** Every kind of message once, the n-th with the n-th ids. */
export function listMessages(method: string, idsOf: (n: number) => Ids): Message[] {
  return listKinds().map(([name, partsFor], n) => {
    const ids = idsOf(n);
    return { name, bytes: written(ids, { method, ...partsFor(hiddenRequest(ids.hidden)) }) };
  });
}

type Kind = [name: string, partsFor: (inner: string) => Parts];

function listKinds(): Kind[] {
  return [...contradictedLengths(), ...contradictedChunks(), ...others()];
}

/** By its length the hidden request is the body; by the other line the body has ended before it. */
const contradictedLengths = (): Kind[] => [
  ...LENGTHS.flatMap(([name, line]) =>
    ORDERS.map(([order, inOrder]): Kind => [
      `a length${order} ${name}`,
      (inner) => ({ lines: inOrder(`Content-Length: ${inner.length}`, line(0)), body: inner }),
    ]),
  ),
  ...CODINGS.flatMap(([name, line]) =>
    ORDERS.map(([order, inOrder]): Kind => [
      `a length${order} ${name}`,
      (inner) => {
        const body = LAST + inner;
        return { lines: inOrder(`Content-Length: ${body.length}`, line), body };
      },
    ]),
  ),
];

/** By its chunks the hidden request is the body; by its length the body ends before it. */
const contradictedChunks = (): Kind[] =>
  LENGTHS.flatMap(([name, line]) =>
    ORDERS.map(([order, inOrder]): Kind => [
      `chunks${order} ${name}`,
      (inner) => {
        const beforeIt = `${inner.length.toString(16)}\r\n`.length;
        return { lines: inOrder(CHUNKED, line(beforeIt)), body: chunk(inner) + LAST };
      },
    ]),
  );

const lengthOf = (inner: string): string => `Content-Length: ${inner.length}`;
const inChunks = (inner: string): string => chunk(inner) + LAST;

const others = (): Kind[] => [
  ...SIZES.map(([name, size]): Kind => [
    name,
    (inner) => ({ lines: [CHUNKED], body: chunk(inner, size(inner.length)) + LAST }),
  ]),
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'BREW'].map((method): Kind => [
    `a ${method} with a body`,
    (inner) => ({ method, lines: [lengthOf(inner)], body: inner }),
  ]),
  [
    'a length in the trailer',
    (inner) => ({ lines: [CHUNKED], body: `${chunk(inner)}0\r\nContent-Length: 0\r\nX: y\r\n\r\n` }),
  ],
  [
    'HTTP/1.0 in chunks',
    (inner) => ({ version: '1.0', lines: ['Connection: keep-alive', CHUNKED], body: inChunks(inner) }),
  ],
  [
    'a length of this connection only',
    (inner) => ({ lines: [lengthOf(inner), 'Connection: Content-Length'], body: inner }),
  ],
  [
    'chunks of this connection only',
    (inner) => ({ lines: [CHUNKED, 'Connection: Transfer-Encoding'], body: inChunks(inner) }),
  ],
  [
    'a body that waits to be asked for',
    (inner) => ({ lines: [lengthOf(inner), 'Expect: 100-continue'], body: inner }),
  ],
  [
    'a body of another protocol',
    (inner) => ({ lines: [lengthOf(inner), 'Connection: Upgrade', 'Upgrade: h2c'], body: inner }),
  ],
];
