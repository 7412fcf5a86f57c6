import type { Check, Patient } from './check.ts';
import { type Finding, note, warning, well } from './finding.ts';
import {
  MOST_OVERDUE,
  type Overdue,
  countHeard,
  findOverdueFeeds,
  findOverdueStreams,
  hasFeeds,
  hasWorker,
} from './queries.ts';
import { secondsBetween, spellCount, spellSeconds } from './spell.ts';

/** A worker that keeps up is minutes behind at most; who has just imported the world, an hour. */
const LATE_SECONDS = 3600;
const MORE_WORK = 'longwave work once more, beside the one that runs, or raise';

export const workCheck: Check = {
  title: 'Work',
  async look(patient) {
    const isAlive = await hasWorker(patient.pool);
    return [worker(isAlive), await streams(patient, isAlive), await feeds(patient, isAlive)];
  },
};

const worker = (isAlive: boolean): Finding =>
  isAlive
    ? well('worker', 'one is connected to the database')
    : warning(
        'worker',
        'none runs: no stream is listened to, no feed and no schedule is read',
        'longwave work',
      );

async function streams(patient: Patient, isAlive: boolean): Promise<Finding> {
  const { pool, clock, config } = patient;
  if (config.probesAtOnce === 0) return note('streams', 'PROBES_AT_ONCE=0: none is listened to');
  const { last_checked_at: last } = await countHeard(pool);
  const ago = last === null ? undefined : spellSeconds(secondsBetween(last, clock.now()));
  const heard = ago === undefined ? 'none was listened to yet' : `the last was listened to ${ago} ago`;
  return behind('streams', heard, await findOverdueStreams(pool), patient, isAlive && 'PROBES_AT_ONCE');
}

async function feeds(patient: Patient, isAlive: boolean): Promise<Finding> {
  if (!(await hasFeeds(patient.pool)))
    return note('feeds', 'no podcasts', 'longwave import podcasts my-podcasts.opml');
  const overdue = await findOverdueFeeds(patient.pool);
  return behind('feeds', 'read when they are due', overdue, patient, isAlive && 'FEEDS_AT_ONCE');
}

/** `lever` is the setting by which a worker that runs does more; false where none runs. */
function behind(
  name: string,
  text: string,
  { overdue, oldest_at: oldest }: Overdue,
  { clock }: Patient,
  lever: string | false,
): Finding {
  const lateSeconds = oldest === null ? 0 : secondsBetween(oldest, clock.now());
  const many = overdue === MOST_OVERDUE ? `over ${spellCount(overdue)}` : spellCount(overdue);
  const full = overdue === 0 ? text : `${text}; ${many} overdue, by up to ${spellSeconds(lateSeconds)}`;
  if (lateSeconds < LATE_SECONDS) return well(name, full);
  return warning(name, full, lever === false ? 'longwave work' : `${MORE_WORK} ${lever}`);
}
