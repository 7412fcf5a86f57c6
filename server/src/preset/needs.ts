import { WRITE_MS, saveInTime } from '../cache/in-time.ts';
import type { Queryable } from '../db/pool.ts';
import type { Aliases } from '../directory/aliases.ts';
import type { Directory } from '../directory/directory.ts';
import type { MemberDoors } from '../http/acting-member.ts';
import type { Action, Answer, Call } from '../http/endpoint.ts';
import { requirePartner } from '../http/require-partner.ts';
import { Fault } from '../lib/fault.ts';
import { AccountLeft } from '../members/account-lock.ts';

export interface PresetNeeds {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** Undefined where the operator has set up no accounts. */
  doors?: MemberDoors | undefined;
}

/** The same once there are accounts. */
export interface PresetDoors extends PresetNeeds {
  doors: MemberDoors;
}

export type PresetAction = (call: Call, needs: PresetDoors) => Promise<Answer>;

/** Nothing is done for strangers, and nothing where there are no accounts. */
export const withDoors =
  (needs: PresetNeeds, action: PresetAction): Action =>
  (call) => {
    requirePartner(call);
    const { doors } = needs;
    if (!doors)
      throw new Fault(
        503,
        'service.unavailable',
        'Presets are not set up here: the operator must set MEMBER_KEY; longwave config key prints one',
      );
    const run = (): Promise<Answer> => action(call, { ...needs, doors });
    return saveInTime(() => run().catch(onceMore(run)), WRITE_MS);
  };

/** A device that was joined to an account meanwhile saves there. */
const onceMore =
  (run: () => Promise<Answer>) =>
  (error: unknown): Promise<Answer> => {
    if (!(error instanceof AccountLeft)) throw error;
    return run();
  };

/** Done, and nothing to say about it. */
export const DONE: Answer = { outlines: [], noStore: true };
