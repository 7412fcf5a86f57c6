import { READ_MS, inTime } from '../cache/in-time.ts';
import { listFindings } from '../catalog/stream-findings.ts';
import type { Queryable } from '../db/pool.ts';
import { findProfile, profileIds } from '../devices/profiles.ts';
import type { Answer, Call } from '../http/endpoint.ts';
import type { Clock } from '../lib/clock.ts';
import { Fault } from '../lib/fault.ts';
import { explanationOutlines } from '../opml/explain-outlines.ts';
import { streamObject } from '../opml/stream-outlines.ts';
import type { Choice } from './choice.ts';
import { type Findings, explain } from './explain.ts';
import { optionLines } from './option-lines.ts';
import { isOf } from './tuned.ts';

interface Needs {
  db: Queryable;
  clock: Clock;
}

/** For `explain=true`: what would be played, and why that. Whoever asks reads a document, so there is no playlist. */
export async function explainTune(choice: Choice, call: Call, { db, clock }: Needs): Promise<Answer> {
  refuseUnknownDevice(call);
  const { tuned, streams } = choice;
  const explained = explain(choice, await findingsOf(choice, { db, clock }));
  return {
    title: tuned.name,
    outlines:
      call.render === 'json'
        ? streams.map((stream) => streamObject(stream))
        : optionLines(choice, call.caller.words),
    explain: explanationOutlines(explained),
    noStore: true,
  };
}

/** Elsewhere a name that is no profile's is passed over: a program may mean something else by it. */
function refuseUnknownDevice({ params }: Call): void {
  const device = params.text('device');
  if (device !== undefined && !findProfile(device))
    throw new Fault(400, 'request.invalid', `No such device; there are ${profileIds()}`);
}

/** Without the database it is told without what was found, which is what the choice itself does. */
async function findingsOf({ tuned, ranking }: Choice, { db, clock }: Needs): Promise<Findings> {
  if (!isOf('s', tuned.guideId)) return NOTHING;
  const ids = [...ranking.chosen, ...ranking.leftOut.map(({ stream }) => stream)].map(({ id }) => id);
  try {
    return await inTime(listFindings(db, ids, clock.now()), READ_MS);
  } catch (error) {
    if (error instanceof Fault) return NOTHING;
    throw error;
  }
}

const NOTHING: Findings = new Map();
