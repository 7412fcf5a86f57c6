import dnsPacket, { type Answer, type OptAnswer } from 'dns-packet';

/** What a resolver may say instead of an answer (RFC 1035, 4.1.1). */
export const RCODE = { formatError: 1, serverFailure: 2, notImplemented: 4, refused: 5 } as const;
export type Rcode = (typeof RCODE)[keyof typeof RCODE];

export const HEADER_BYTES = 12;
/** Without EDNS0 an answer by UDP has at most this many bytes (RFC 1035, 4.2.1). */
const PLAIN_BYTES = 512;
/** Larger datagrams are cut into fragments on the way, and those get lost (DNS flag day 2020). */
const MAX_UDP_BYTES = 1232;
const MAX_LABEL = 63;
const [IN_CLASS, OPCODE_MASK, RD, QR] = [1, 0x78_00, 0x01_00, 0x80_00];
const TYPE_NUMBERS = { A: 1, AAAA: 28, ANY: 255 } as const;

/** One question, and what of its message the answer repeats. */
export interface DnsQuery {
  /** The whole message, as it came. */
  bytes: Buffer;
  /** As the asker wrote it, whose capital letters the answer must repeat; without the dot at the end. */
  name: string;
  /** The number of the record type. */
  type: number;
  /** Where the question ends in the message. */
  questionEnd: number;
  /** The most bytes that the asker takes by UDP. */
  maxBytes: number;
  /** Undefined without EDNS0. */
  ednsVersion: number | undefined;
}

/** The question of a message, the code to refuse it with, or undefined for what deserves no answer at all. */
export function parseDnsQuery(bytes: Buffer): DnsQuery | Rcode | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const flags = bytes.readUInt16BE(2);
  // An answer to an answer would go back and forth for ever.
  if ((flags & QR) !== 0) return undefined;
  if ((flags & OPCODE_MASK) !== 0) return RCODE.notImplemented;
  const questionEnd = bytes.readUInt16BE(4) === 1 ? findQuestionEnd(bytes) : undefined;
  if (questionEnd === undefined) return RCODE.formatError;
  const opt = readOpt(bytes);
  if (opt === 'malformed') return RCODE.formatError;
  if (bytes.readUInt16BE(questionEnd - 2) !== IN_CLASS) return RCODE.refused;
  return {
    bytes,
    name: nameIn(bytes, questionEnd),
    type: bytes.readUInt16BE(questionEnd - 4),
    questionEnd,
    maxBytes: Math.min(Math.max(opt?.udpPayloadSize ?? 0, PLAIN_BYTES), MAX_UDP_BYTES),
    ednsVersion: opt?.ednsVersion,
  };
}

/** Undefined where the labels are cut off, or point elsewhere, which the first name of a message cannot. */
export function findQuestionEnd(bytes: Buffer): number | undefined {
  let at = HEADER_BYTES;
  for (let length = bytes[at]; length !== 0; length = bytes[at]) {
    if (length === undefined || length > MAX_LABEL) return undefined;
    at += 1 + length;
  }
  const end = at + 5;
  return end <= bytes.length ? end : undefined;
}

/** Latin-1, so that no byte gets lost: names of ours are letters, digits, hyphens and dots. */
function nameIn(bytes: Buffer, questionEnd: number): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; at < questionEnd - 5; at += 1 + bytes[at]!)
    labels.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]!));
  return labels.join('.');
}

/** The EDNS0 record (RFC 6891); the library reads the whole message for it, so a malformed one is found out too. */
function readOpt(bytes: Buffer): OptAnswer | undefined | 'malformed' {
  try {
    const { additionals = [] } = dnsPacket.decode(bytes);
    const found = additionals.filter((record): record is OptAnswer => record.type === 'OPT');
    return found.length > 1 ? 'malformed' : found[0];
  } catch {
    return 'malformed';
  }
}

/** A header with a code, and the question where there is one: never longer than what it answers. */
export function writeRefusal(query: Buffer, rcode: number, questionEnd?: number): Buffer {
  const answer = Buffer.from(query.subarray(0, questionEnd ?? HEADER_BYTES));
  const flags = query.readUInt16BE(2);
  answer.writeUInt16BE(QR | (flags & (OPCODE_MASK | RD)) | dnsPacket.RECURSION_AVAILABLE | rcode, 2);
  answer.writeUInt16BE(questionEnd === undefined ? 0 : 1, 4);
  return answer.fill(0, 6, HEADER_BYTES);
}

/** Radios that keep an address for a day would not find a server that moved. */
const TTL_SECONDS = 60;

/** The addresses of a name of ours; for any other type of record "there is none" (RFC 2308). */
export function writeAddresses(query: DnsQuery, addresses: { ipv4: string[]; ipv6: string[] }): Buffer {
  const { name, type, bytes, ednsVersion } = query;
  const isAsked = (number: number): boolean => type === number || type === TYPE_NUMBERS.ANY;
  const answers: Answer[] = [
    ...(isAsked(TYPE_NUMBERS.A) ? addresses.ipv4.map((data) => ({ type: 'A' as const, name, data })) : []),
    ...(isAsked(TYPE_NUMBERS.AAAA)
      ? addresses.ipv6.map((data) => ({ type: 'AAAA' as const, name, data }))
      : []),
  ].map((answer) => ({ ...answer, ttl: TTL_SECONDS }));
  const encoded = dnsPacket.encode({
    type: 'response',
    id: bytes.readUInt16BE(0),
    flags: dnsPacket.AUTHORITATIVE_ANSWER | dnsPacket.RECURSION_AVAILABLE | (bytes.readUInt16BE(2) & RD),
    answers,
    authorities: answers.length > 0 ? [] : [startOfAuthority(name)],
    additionals: ednsVersion === undefined ? [] : [writeOpt()],
  });
  encoded.writeUInt16BE(1, 4);
  return Buffer.concat([
    encoded.subarray(0, HEADER_BYTES),
    bytes.subarray(HEADER_BYTES, query.questionEnd),
    encoded.subarray(HEADER_BYTES),
  ]);
}

/** For how long "there is none" may be kept. */
const startOfAuthority = (name: string): Answer => ({
  type: 'SOA',
  name,
  ttl: TTL_SECONDS,
  data: {
    mname: name,
    rname: `nobody.${name}`,
    serial: 1,
    refresh: 3600,
    retry: 600,
    expire: 86_400,
    minimum: TTL_SECONDS,
  },
});

const writeOpt = (extendedRcode = 0): OptAnswer => ({
  type: 'OPT',
  name: '.',
  udpPayloadSize: MAX_UDP_BYTES,
  extendedRcode,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
});

/** To an EDNS version that does not exist yet: which one does (RFC 6891, 6.1.3). */
export function writeBadVersion({ bytes, questionEnd }: DnsQuery): Buffer {
  const [noError, badVersion] = [0, 1];
  const opt = dnsPacket.encode({ type: 'response', additionals: [writeOpt(badVersion)] });
  const head = writeRefusal(bytes, noError, questionEnd);
  head.writeUInt16BE(1, 10);
  return Buffer.concat([head, opt.subarray(HEADER_BYTES)]);
}

/** An answer that is too long for UDP becomes its beginning; the asker comes back by TCP. */
export function fitToDatagram(answer: Buffer, { questionEnd, maxBytes }: DnsQuery): Buffer {
  if (answer.length <= maxBytes) return answer;
  const short = Buffer.from(answer.subarray(0, questionEnd));
  short.writeUInt16BE(short.readUInt16BE(2) | dnsPacket.TRUNCATED_RESPONSE, 2);
  return short.fill(0, 6, HEADER_BYTES);
}

export const isTruncated = (answer: Buffer): boolean =>
  (answer.readUInt16BE(2) & dnsPacket.TRUNCATED_RESPONSE) !== 0;

/** A question of our own, for the doctor. */
export const writeDnsQuestion = (name: string, type: 'A' | 'AAAA'): Buffer =>
  dnsPacket.encode({
    type: 'query',
    flags: dnsPacket.RECURSION_DESIRED,
    questions: [{ type, name, class: 'IN' }],
  });

/** The addresses in an answer, or undefined for one that cannot be read. */
export function parseAddresses(answer: Buffer): string[] | undefined {
  try {
    const { answers = [] } = dnsPacket.decode(answer);
    return answers.flatMap((record) => (record.type === 'A' || record.type === 'AAAA' ? [record.data] : []));
  } catch {
    return undefined;
  }
}
