import type { Socket } from 'node:net';
import { RELAYED_FILE_BYTES } from '../../core/streams/relay/relay-address.ts';
import { letGo, MAX_PLAYED_OUT_MS } from './relay-answer.ts';

/** A part of the long file that a stream is for devices that play nothing else: from the first byte to the last. */
export interface FilePart {
  first: number;
  last: number;
}

/** ID3v1, which such devices read before they play: at the very end of the file. */
const TAG_BYTES = 128;
const TAG_AT = RELAYED_FILE_BYTES - TAG_BYTES;
const WHOLE: FilePart = { first: 0, last: RELAYED_FILE_BYTES - 1 };
const ONE_RANGE = /^bytes=(\d{0,12})-(\d{0,12})$/;

/** What `Range` asks for; without one, or with several, all of it. Undefined for one beyond the end. */
export function parseFileRange(range = ''): FilePart | undefined {
  const [, from = '', to = ''] = ONE_RANGE.exec(range.replaceAll(' ', '')) ?? [];
  if (from === '' && to === '') return WHOLE;
  // The last none of it.
  if (from === '' && Number(to) === 0) return undefined;
  if (from === '') return { ...WHOLE, first: Math.max(0, RELAYED_FILE_BYTES - Number(to)) };
  const part = { first: Number(from), last: Math.min(to === '' ? Infinity : Number(to), WHOLE.last) };
  if (part.first > WHOLE.last) return undefined;
  return part.last < part.first ? WHOLE : part;
}

/** Nothing of it is sound, so that no station has to be asked. */
export const isTagOnly = ({ first }: FilePart): boolean => first >= TAG_AT;

/** Ranges are of HTTP/1.1. */
export function fileHead({ first, last }: FilePart, type: string): string {
  const isWhole = first === WHOLE.first && last === WHOLE.last;
  const lines = [
    isWhole ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 206 Partial Content',
    `Content-Type: ${type}`,
    `Content-Length: ${last - first + 1}`,
    'Accept-Ranges: bytes',
    ...(isWhole ? [] : [`Content-Range: bytes ${first}-${last}/${RELAYED_FILE_BYTES}`]),
    'Cache-Control: no-store',
    'transferMode.dlna.org: Streaming',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The name of the station as title; the other fields are empty. */
function id3v1(title: string): Buffer {
  const tag = Buffer.alloc(TAG_BYTES);
  tag.write('TAG', 'latin1');
  tag.write(title.replaceAll(/[^\x20-\xff]/g, '?').slice(0, 30), 3, 'latin1');
  tag[TAG_BYTES - 1] = 0xff;
  return tag;
}

/** Sends as much sound as was asked for, then what was asked for of the tag, and hangs up. */
export class FilePartSink {
  readonly #socket: Socket;
  readonly #tag: Buffer;
  readonly #last: number;
  readonly #finished = Promise.withResolvers<void>();
  #next: number;
  #isFinished = false;

  constructor(socket: Socket, { first, last }: FilePart, title: string) {
    this.#socket = socket;
    this.#tag = id3v1(title);
    this.#next = first;
    this.#last = last;
  }

  /** When all of it is sent: the station is not needed any more. */
  get finished(): Promise<void> {
    return this.#finished.promise;
  }

  /** What is left to send, for whoever goes on with it. */
  get rest(): FilePart {
    return { first: this.#next, last: this.#last };
  }

  get writableLength(): number {
    return this.#socket.writableLength;
  }

  write(sound: Buffer): boolean {
    const end = Math.min(TAG_AT, this.#last + 1);
    const piece = sound.subarray(0, Math.max(0, end - this.#next));
    this.#next += piece.length;
    const isTaken = piece.length === 0 || this.#socket.write(piece);
    if (this.#next >= end) this.finish();
    return isTaken;
  }

  /** The rest of it, which is of the tag, if that was asked for. */
  finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    if (this.#next <= this.#last)
      this.#socket.write(this.#tag.subarray(this.#next - TAG_AT, this.#last + 1 - TAG_AT));
    this.#next = this.#last + 1;
    letGo(this.#socket, MAX_PLAYED_OUT_MS);
    this.#finished.resolve();
  }
}
