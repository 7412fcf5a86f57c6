import { AccountLeft } from '../../../core/accounts/accounts.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import type { Directory } from '../../../core/directory/directory.ts';
import type { Aliases } from '../../../core/directory/lookup/by-any-id.ts';
import { Fault } from '../../../lib/fault.ts';
import { saveInTime, WRITE_MS } from '../../../storage/cache/in-time.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import { requirePartner } from '../call/acting-member.ts';
import type { Action, Answer, Call } from '../call/endpoint.ts';

export interface PresetDeps {
  directory: Pick<Directory, 'current'>;
  db: Queryable;
  aliases: Pick<Aliases, 'find'>;
  /** Undefined when the operator has not set up accounts. */
  members?: MemberAccess | undefined;
}

/** The same with accounts set up. */
export interface PresetContext extends PresetDeps {
  members: MemberAccess;
}

export type PresetAction = (call: Call, deps: PresetContext) => Promise<Answer>;

/** Rejects unregistered partners, and every call when there are no accounts. */
export const withMembers =
  (deps: PresetDeps, action: PresetAction): Action =>
  (call) => {
    requirePartner(call);
    const { members } = deps;
    if (!members)
      throw new Fault(
        503,
        'service.unavailable',
        'Presets are not set up here: the operator must set MEMBER_KEY (`longwave config key` prints one)',
      );
    const run = (): Promise<Answer> => action(call, { ...deps, members });
    return saveInTime(() => run().catch(onceMore(run)), WRITE_MS);
  };

/** Retries once: a device that was joined to an account meanwhile saves there. */
const onceMore =
  (run: () => Promise<Answer>) =>
  (error: unknown): Promise<Answer> => {
    if (!(error instanceof AccountLeft)) throw error;
    return run();
  };
