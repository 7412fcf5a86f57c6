import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

const KEPT_CHARACTERS = 20_000;

/** A program that stays. What it says is read all the time, since one that nobody reads stands still. */
export interface Program {
  /** The end of what it has said so far. */
  said: () => string;
  hasEnded: () => boolean;
}

export function watch(child: ChildProcess): Program {
  let said = '';
  let ended = false;
  const hear = (bytes: Buffer): void => {
    said = (said + bytes.toString()).slice(-KEPT_CHARACTERS);
  };
  child.stdout!.on('data', hear);
  child.stderr!.on('data', hear);
  child.on('error', (error) => hear(Buffer.from(error.message)));
  child.on('close', () => (ended = true));
  return { said: () => said, hasEnded: () => ended };
}

/** What a program wrote, once it is through; an error with its complaint when it failed or took too long. */
export async function outputOf(child: ChildProcess, name: string): Promise<string> {
  const output = collect(child.stdout!);
  const complaint = collect(child.stderr!);
  const closed = once(child, 'close');
  const [code, signal] = await once(child, 'exit');
  // What it started and left behind may hold its output open for ever.
  await Promise.race([closed, sleep(500, undefined, { ref: false })]);
  child.stdout!.destroy();
  child.stderr!.destroy();
  if (code === 0) return output();
  const end = signal === null ? `ended with ${code}` : 'did not end in time';
  throw new Error(`${name} ${end}: ${complaint().slice(-2000)}${output().slice(-2000)}`);
}

function collect(stream: Readable): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (bytes: Buffer) => chunks.push(bytes));
  return () => Buffer.concat(chunks).toString();
}
