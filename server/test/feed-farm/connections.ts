import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { ipOfHost, nameOfHost } from './hosts.ts';

const ALLOWED = 2;
const ESTABLISHED = '01';

/** How many connections each host has at once, and the most that were ever seen. */
export class Connections {
  readonly #port: number;
  readonly #open = new Map<number, number>();
  total = 0;
  most = 0;
  mostAt = '';

  constructor(port: number) {
    this.#port = port;
  }

  /**
   * Counted when the loop has heard all that came with it: the end of the connection before is often heard after this
   * one was opened, though it happened before.
   */
  opened(host: number, socket: Socket): void {
    this.total += 1;
    let hasEnded = false;
    let isCounted = false;
    const end = (): void => {
      if (isCounted && !hasEnded) this.#add(host, -1);
      hasEnded = true;
    };
    socket.once('end', end).once('close', end);
    setImmediate(() => {
      if (hasEnded) return;
      isCounted = true;
      this.#judge(host, this.#add(host, 1));
    });
  }

  #add(host: number, change: number): number {
    const open = (this.#open.get(host) ?? 0) + change;
    this.#open.set(host, open);
    return open;
  }

  /** Too many are believed only if the kernel says so too: what it has closed may not have been heard of yet. */
  #judge(host: number, heard: number): void {
    const open = heard > ALLOWED ? Math.min(heard, establishedAt(ipOfHost(host), this.#port)) : heard;
    if (open <= this.most) return;
    this.most = open;
    this.mostAt = nameOfHost(host);
  }
}

function establishedAt(ip: string, port: number): number {
  const bytes = ip.split('.').map((byte) => Number(byte).toString(16).padStart(2, '0'));
  const local = `${bytes.toReversed().join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter((at) => at[1] === local && at[3] === ESTABLISHED).length;
}
