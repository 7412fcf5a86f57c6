import { findProfile, profileIds } from '../../../core/devices/profiles.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Fault } from '../../../lib/fault.ts';
import { inTime, READ_MS } from '../../../storage/cache/in-time.ts';
import { listFindings } from '../../../storage/catalog/streams/stream-checks.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Answer, Call } from '../call/endpoint.ts';
import { explanationOutlines } from '../outlines/explain-outlines.ts';
import { streamObject } from '../outlines/stream-outlines.ts';
import type { StreamChoice } from './choice.ts';
import { explain, type Findings } from './explain.ts';
import { optionLines } from './option-lines.ts';
import { isOf } from './tuned.ts';

interface Deps {
  db: Queryable;
  clock: Clock;
}

/** For `explain=true`: what would be played, and why. Always a document, never a playlist. */
export async function explainTune(choice: StreamChoice, call: Call, { db, clock }: Deps): Promise<Answer> {
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

/** Strict only here: elsewhere an unknown device name is ignored, because a program may mean something else by it. */
function refuseUnknownDevice({ params }: Call): void {
  const device = params.text('device');
  if (device !== undefined && !findProfile(device))
    throw new Fault(400, 'request.invalid', `Unknown device; use one of ${profileIds()}`);
}

/** Without the database it explains without check results, as the choice itself works without them. */
async function findingsOf({ tuned, ranking }: StreamChoice, { db, clock }: Deps): Promise<Findings> {
  if (!isOf('s', tuned.guideId)) return NOTHING;
  const ids = [...ranking.chosen, ...ranking.leftOut.map(({ stream }) => stream)].map(({ id }) => id);
  try {
    return await inTime(() => listFindings(db, ids, clock.now()), READ_MS);
  } catch (error) {
    if (error instanceof Fault) return NOTHING;
    throw error;
  }
}

const NOTHING: Findings = new Map();
