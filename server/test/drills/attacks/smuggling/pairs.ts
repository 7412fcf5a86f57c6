import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST, type Ids, listMessages, target } from './messages.ts';

/** A message that may be read in two ways, and a request that comes after it. */
export interface Pair {
  name: string;
  ids: Ids & Record<'next' | 'other', string>;
  bytes: string;
  followUp: FollowUp;
}

/** What comes after a message over the same connection; after both of them another caller asks over one of its own. */
export const FOLLOW_UPS = ['a GET at once', 'a POST after a message in pieces'] as const;
type FollowUp = (typeof FOLLOW_UPS)[number];

/** Each message with each thing that may come after it; no id is used twice. */
export function listPairs(round: string): Pair[] {
  return FOLLOW_UPS.flatMap((followUp, kind) => {
    const idsOf = (n: number): Pair['ids'] => ({
      own: `${round}own${kind}n${n}`,
      hidden: `${round}hid${kind}n${n}`,
      next: `${round}nxt${kind}n${n}`,
      other: `${round}oth${kind}n${n}`,
    });
    const method = kind === 0 ? 'POST' : 'GET';
    return listMessages(method, idsOf).map(({ name, bytes }, n) => ({
      name: `${name}, then ${followUp}`,
      ids: idsOf(n),
      bytes,
      followUp,
    }));
  });
}

const getOf = (id: string): string =>
  `GET ${target(id)} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
const FORM = 'c=music';
const postOf = (id: string): string =>
  `POST ${target(id)} HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${FORM.length}\r\n\r\n${FORM}`;

export interface Answer {
  status: number;
  /** Whose request it answers, where it says so. */
  id: string | undefined;
}

export interface Sent {
  /** What came over the connection of the message, in order. */
  answers: Answer[];
  /** What another caller got after that. */
  other: Answer[];
}

export async function sendPair(port: number, { bytes, followUp, ids }: Pair): Promise<Sent> {
  const middle = bytes.indexOf('\r\n\r\n') - 3;
  const pieces =
    followUp === 'a GET at once'
      ? [bytes + getOf(ids.next)]
      : [bytes.slice(0, middle), bytes.slice(middle) + postOf(ids.next)];
  const answers = await exchange(port, pieces);
  return { answers, other: await exchange(port, [getOf(ids.other)]) };
}

/** For a busy machine; a proxy that waits for more of a body hangs up before. */
const MAX_WAIT_MS = 75_000;
/** Between two pieces, so that the first is read before the second comes. */
const PIECE_MS = 5;

/** Sends the pieces, and hears until the peer hangs up, as it is asked to after the last one. */
async function exchange(port: number, pieces: readonly string[]): Promise<Answer[]> {
  const socket = connect(port, '127.0.0.1');
  const closed = once(socket, 'close').catch(() => undefined);
  let received = '';
  socket.on('error', () => socket.destroy());
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    if (piece !== pieces.at(-1)) await sleep(PIECE_MS);
  }
  const timeout = setTimeout(() => socket.destroy(), MAX_WAIT_MS);
  await closed;
  clearTimeout(timeout);
  return parseAnswers(received);
}

const STATUS = /(?=HTTP\/1\.[01] \d{3} )/;
const ID = /\r\n\r\n(?:[\da-f]+\r\n)?(r\d+[a-z]{3}\dn\d+)\(/;

/** Every answer starts with its status; none of our bodies has such a line. */
const parseAnswers = (text: string): Answer[] =>
  text
    .split(STATUS)
    .filter((answer) => answer.startsWith('HTTP/') && !answer.startsWith('HTTP/1.1 100'))
    .map((answer) => ({ status: Number(answer.slice(9, 12)), id: ID.exec(answer)?.[1] }));
