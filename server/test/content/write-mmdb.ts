import ipaddr from 'ipaddr.js';

/** What a record can hold, as far as the tests need it. */
export type MmdbValue =
  | string
  | number
  | MmdbUint
  | readonly MmdbValue[]
  | { readonly [key: string]: MmdbValue };

/** A whole number as the format's own kinds; a plain number is written as a double. */
export class MmdbUint {
  readonly value: number;
  readonly kind: 'uint16' | 'uint32';
  constructor(value: number, kind: 'uint16' | 'uint32' = 'uint32') {
    this.value = value;
    this.kind = kind;
  }
}

export interface MmdbOptions {
  ipVersion?: 4 | 6;
  databaseType?: string;
}

type Tree = [left: Branch, right: Branch];
type Branch = Tree | number | undefined;

/** A MaxMind DB file of a few networks (`81.2.69.0/24`), by the published format 2.0 with records of 24 bits. */
export function writeMmdb(
  networks: Readonly<Record<string, MmdbValue>>,
  { ipVersion = 6, databaseType = 'Test-City' }: MmdbOptions = {},
): Buffer {
  const root: Tree = [undefined, undefined];
  const data: Buffer[] = [];
  let dataLength = 0;
  for (const [network, value] of Object.entries(networks)) {
    plant(root, bitsOf(network, ipVersion), dataLength);
    const bytes = encode(value);
    data.push(bytes);
    dataLength += bytes.length;
  }
  const nodes = nodesOf(root);
  const metadata = encode({
    binary_format_major_version: new MmdbUint(2, 'uint16'),
    binary_format_minor_version: new MmdbUint(0, 'uint16'),
    build_epoch: new MmdbUint(1_780_000_000),
    database_type: databaseType,
    description: { en: 'for tests' },
    ip_version: new MmdbUint(ipVersion, 'uint16'),
    languages: ['en'],
    node_count: new MmdbUint(nodes.length),
    record_size: new MmdbUint(24, 'uint16'),
  });
  const marker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex');
  return Buffer.concat([writeTree(nodes), Buffer.alloc(16), ...data, marker, metadata]);
}

/** IPv4 networks stand in a tree of IPv6 under 96 zeros. */
function bitsOf(network: string, ipVersion: 4 | 6): string {
  const [address, length] = ipaddr.parseCIDR(network);
  const bits = address
    .toByteArray()
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .slice(0, length);
  return ipVersion === 6 && address.kind() === 'ipv4' ? '0'.repeat(96) + bits : bits;
}

function plant(root: Tree, bits: string, offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const side = bit === '0' ? 0 : 1;
    const next = node[side];
    node = Array.isArray(next) ? next : (node[side] = [undefined, undefined]);
  }
  node[bits.endsWith('0') ? 0 : 1] = offset;
}

function nodesOf(root: Tree): Tree[] {
  const nodes = [root];
  for (const node of nodes) nodes.push(...node.filter((branch) => Array.isArray(branch)));
  return nodes;
}

function writeTree(nodes: readonly Tree[]): Buffer {
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const bytes = Buffer.alloc(nodes.length * 6);
  nodes.flat().forEach((branch, position) => {
    const isData = typeof branch === 'number';
    const value = isData ? nodes.length + 16 + branch : ((branch && numbers.get(branch)) ?? nodes.length);
    bytes.writeUIntBE(value, position * 3, 3);
  });
  return bytes;
}

const KINDS = { string: 2, double: 3, uint16: 5, uint32: 6, map: 7, array: 11 };

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([head('string', bytes.length), bytes]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(value);
    return Buffer.concat([head('double', 8), bytes]);
  }
  if (value instanceof MmdbUint) return encodeUint(value);
  if (Array.isArray(value)) return Buffer.concat([head('array', value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([head('map', entries.length), ...entries.flat().map(encode)]);
}

function encodeUint({ value, kind }: MmdbUint): Buffer {
  const bytes = Buffer.alloc(kind === 'uint16' ? 2 : 4);
  bytes.writeUIntBE(value, 0, bytes.length);
  return Buffer.concat([head(kind, bytes.length), bytes]);
}

/** Kinds over 7 are written in a byte of their own; sizes over 28 in the byte after. */
function head(kind: keyof typeof KINDS, size: number): Buffer {
  const number = KINDS[kind];
  const bytes = [(number > 7 ? 0 : number << 5) | Math.min(size, 29)];
  if (number > 7) bytes.push(number - 7);
  if (size >= 29) bytes.push(size - 29);
  return Buffer.from(bytes);
}
