import { findAccount, findAccountIdByUsername } from '../../../core/accounts/accounts.ts';
import { deviceKey, findDevice } from '../../../core/accounts/devices/devices.ts';
import type { MemberAccess } from '../../../core/accounts/member-access.ts';
import { listSavedItems } from '../../../core/accounts/presets/presets.ts';
import type { SavedIds } from '../../../formats/opml/compile.ts';
import { Fault } from '../../../lib/fault.ts';
import { inTime } from '../../../storage/cache/in-time.ts';
import { isAway } from '../../../storage/cache/away.ts';
import { ReadThrough } from '../../../storage/cache/read-through.ts';
import type { Queryable } from '../../../storage/db/pool.ts';
import type { Siblings } from '../../../net/processes/supervisor-link.ts';
import type { Caller } from './caller.ts';
import type { Action, Answer, Call, Endpoint } from './endpoint.ts';

/**
 * How long lists may miss changes made elsewhere; presets and descriptions are always read anew. An active radio
 * requests a menu every few seconds, and its presets change once in months.
 */
const FRESH_MS = 60_000;
const STALE_MS = 3_600_000;
/** The longest a menu waits for this. */
const DEADLINE_MS = 100;
const MAX_KNOWN = 20_000;

type Maybe<T> = T | undefined;

const CHANGED = 'saved items changed';

/** The saved items of callers who name themselves, to mark them in lists and descriptions. */
export class SavedItems {
  readonly #known: ReadThrough<SavedIds, Caller>;
  readonly #read: (caller: Caller) => Promise<SavedIds>;
  readonly #siblings: Siblings | undefined;

  /** Processes of one machine tell each other what has changed. */
  constructor(db: Queryable, members: MemberAccess | undefined, siblings?: Siblings) {
    this.#siblings = siblings;
    siblings?.onTold(CHANGED, (key) => this.#known.forget(String(key)));
    this.#read = (caller) => readSaved(db, members, caller);
    const times = { freshMs: FRESH_MS, staleMs: STALE_MS, deadlineMs: DEADLINE_MS };
    this.#known = new ReadThrough({ load: (_key, caller) => this.#read(caller), most: MAX_KNOWN, ...times });
  }

  /** Read now; undefined for unknown callers, and while the database is unreachable. */
  async now(call: Call): Promise<Maybe<SavedIds>> {
    if (keyOf(call) === undefined) return undefined;
    return inTime(() => this.#read(call.caller), DEADLINE_MS).catch(nothingWhileAway);
  }

  /** Wraps an endpoint so that its lists mark saved items. Unchanged for callers without any. */
  marks(endpoint: Endpoint): Endpoint {
    const savesNothing = (serialKey: string): boolean => this.#known.fresh(serialKey)?.size === 0;
    const marked = withActions(endpoint, (action) => this.#marked(action));
    return { ...marked, savesNothing, shared: endpoint };
  }

  /** Wraps an endpoint that changes saved items, so that the next list shows the change. */
  changes(endpoint: Endpoint): Endpoint {
    return withActions(endpoint, (action) => async (call) => {
      try {
        return await action(call);
      } finally {
        const key = keyOf(call);
        if (key !== undefined) {
          this.#known.forget(key);
          this.#siblings?.tell(CHANGED, key);
        }
      }
    });
  }

  #marked(action: Action): Action {
    return (call) => {
      const key = keyOf(call);
      if (key === undefined) return action(call);
      const fresh = this.#known.fresh(key);
      if (fresh) return fresh.size === 0 ? action(call) : withSaved(action(call), fresh);
      return this.#afterReading(action, call, key);
    };
  }

  async #afterReading(action: Action, call: Call, key: string): Promise<Answer> {
    const known = this.#known.get(key, call.caller).catch(nothingWhileAway);
    const [answer, saved] = await Promise.all([action(call), known]);
    return saved && saved.size > 0 ? withSaved(answer, saved) : answer;
  }
}

function withActions(
  { actions, fallback, ...endpoint }: Endpoint,
  change: (action: Action) => Action,
): Endpoint {
  const other = (call: Call): Maybe<Action> => {
    const action = fallback?.(call);
    return action && change(action);
  };
  const changed = new Map([...actions].map(([c, action]) => [c, change(action)] as const));
  return { ...endpoint, actions: changed, fallback: fallback && other };
}

const withSaved = (answer: Answer | Promise<Answer>, saved: SavedIds): Answer | Promise<Answer> =>
  answer instanceof Promise ? answer.then((made) => ({ ...made, saved })) : { ...answer, saved };

/** By name, else by device within its partner; only a hash of the serial is stored. */
function keyOf({ caller: { username, partner }, serialKey }: Call): string | undefined {
  if (username !== undefined) return `name ${username.toLowerCase()}`;
  // An unknown partner has no devices.
  return partner ? serialKey : undefined;
}

const NOTHING: SavedIds = new Set();

async function readSaved(
  db: Queryable,
  members: Maybe<MemberAccess>,
  { username, serial, partner }: Caller,
): Promise<SavedIds> {
  let accountId: Maybe<number>;
  if (username !== undefined) accountId = await readableByName(db, username);
  else if (members && serial !== undefined && partner) {
    const device = deviceKey(members.keys, partner.serial_scope, serial);
    accountId = (await findDevice(db, device))?.account_id ?? undefined;
  }
  return accountId === undefined ? NOTHING : listSavedItems(db, accountId);
}

/** Accounts that may not be read by name count as unknown. */
async function readableByName(db: Queryable, username: string): Promise<Maybe<number>> {
  const id = await findAccountIdByUsername(db, username);
  const account = id === undefined ? undefined : await findAccount(db, id);
  return account?.readable_by_name ? account.id : undefined;
}

function nothingWhileAway(error: unknown): undefined {
  if (!(error instanceof Fault) && !isAway(error)) throw error;
}
