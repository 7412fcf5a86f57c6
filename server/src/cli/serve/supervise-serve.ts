import type { Worker } from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { MemoryBook } from '../../core/limits/bucket-book.ts';
import { answersFromBook, LOW_BUCKETS } from '../../core/limits/supervised-book.ts';
import { MemoryStore } from '../../core/now-playing/memory-store.ts';
import { answersFromStore, SONG_NEWS } from '../../core/now-playing/supervised-store.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { isProcessMessage } from '../../net/processes/messages.ts';
import { Supervisor } from '../../net/processes/supervisor.ts';
import { Turns } from '../../net/processes/turns.ts';

/** A process is about to build its directory, and has built it. */
export const TAKE_TURN = 'turn to build';
export const END_TURN = 'turn is over';
/** By which processes of this machine hash serials, and nobody else can. */
export const SERIAL_SALT = 'salt of serials';

/**
 * The first of several processes that answer calls (`SERVE_PROCESSES`). It holds the ports and keeps what must be the same for
 * all of them, and answers no calls itself. SIGHUP goes to every process, which reads its files anew; SIGUSR2 replaces one after
 * the other, with the program as it is on disk then; they have the settings of the first.
 */
export function superviseServe(processes: number, log: Log): Supervisor {
  const turns = new Turns<Worker>();
  const salt = randomBytes(16).toString('base64');
  const songs = new MemoryStore();
  const book = new MemoryBook(systemClock, (low) => supervisor.tellOthers(LOW_BUCKETS, low));
  const supervisor = new Supervisor({
    processes,
    log,
    startsInTurn: true,
    acceptThemselves: true,
    words: {
      renewing: 'each process is replaced by another, one after the other',
      ended: 'a process ended; another starts, and the others go on',
    },
    answers: {
      [TAKE_TURN]: (_none, worker) => turns.take(worker),
      [SERIAL_SALT]: () => salt,
      ...answersFromStore(songs),
      ...answersFromBook(book),
    },
    hear: (message, { worker }) => {
      if (!isProcessMessage(message) || message.process !== 'tell') return;
      // All else that one tells is meant for the others.
      if (message.about === END_TURN) turns.end(worker);
      else supervisor.tellOthers(message.about, message.what, worker);
    },
    forget: (worker) => turns.end(worker),
  });
  songs.subscribe((news) => supervisor.tellOthers(SONG_NEWS, news));
  process.on('SIGUSR2', () => supervisor.renew());
  supervisor.start();
  return supervisor;
}
