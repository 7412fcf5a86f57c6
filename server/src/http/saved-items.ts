import { inTime } from '../cache/in-time.ts';
import { isAway } from '../cache/is-away.ts';
import { ReadThrough } from '../cache/read-through.ts';
import type { Queryable } from '../db/pool.ts';
import { Fault } from '../lib/fault.ts';
import { findAccount } from '../members/accounts.ts';
import { findDevice } from '../members/devices.ts';
import { listSavedItems } from '../members/saved-items.ts';
import { deviceKey } from '../members/serial-hash.ts';
import { findAccountIdByUsername } from '../members/usernames.ts';
import type { SavedIds } from '../opml/mark-saved.ts';
import type { MemberDoors } from './acting-member.ts';
import type { Action, Answer, Call, Endpoint } from './endpoint.ts';
import type { Caller } from './caller.ts';

/**
 * How long a list may not know of what was saved elsewhere; presets themselves and descriptions are read anew. A radio
 * that is used asks for a menu every few seconds, and what is on its buttons changes once in months.
 */
const FRESH_MS = 60_000;
const STALE_MS = 3_600_000;
/** Nobody waits longer for it. */
const DEADLINE_MS = 100;
const MOST_KNOWN = 20_000;

type Maybe<T> = T | undefined;

/** What callers who name themselves have saved, so that lists and descriptions can say so. */
export class SavedItems {
  readonly #known: ReadThrough<SavedIds, Caller>;
  readonly #read: (caller: Caller) => Promise<SavedIds>;

  constructor(db: Queryable, doors: MemberDoors | undefined) {
    this.#read = (caller) => readSaved(db, doors, caller);
    const times = { freshMs: FRESH_MS, staleMs: STALE_MS, deadlineMs: DEADLINE_MS };
    this.#known = new ReadThrough({ load: (_key, caller) => this.#read(caller), most: MOST_KNOWN, ...times });
  }

  /** As it is now; nothing for who is nobody here, and while the database is away. */
  async now(call: Call): Promise<Maybe<SavedIds>> {
    if (keyOf(call) === undefined) return undefined;
    return inTime(this.#read(call.caller), DEADLINE_MS).catch(nothingWhileAway);
  }

  /** An endpoint whose lists say what their caller has saved. For who has saved nothing it is as it was. */
  marks(endpoint: Endpoint): Endpoint {
    return withActions(endpoint, (action) => this.#marked(action));
  }

  /** An endpoint that changes what its caller has saved, which the next list then knows. */
  changes(endpoint: Endpoint): Endpoint {
    return withActions(endpoint, (action) => async (call) => {
      try {
        return await action(call);
      } finally {
        const key = keyOf(call);
        if (key !== undefined) this.#known.forget(key);
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

/** By name, else by the device within its partner, of whose serial only a hash is kept. */
function keyOf({ caller: { username, partner }, serialKey }: Call): string | undefined {
  if (username !== undefined) return `name ${username.toLowerCase()}`;
  // A partner that is not known has no devices.
  return partner ? serialKey : undefined;
}

const NOTHING: SavedIds = new Set();

async function readSaved(
  db: Queryable,
  doors: Maybe<MemberDoors>,
  { username, serial, partner }: Caller,
): Promise<SavedIds> {
  let accountId: Maybe<number>;
  if (username !== undefined) accountId = await readableByName(db, username);
  else if (doors && serial !== undefined && partner) {
    const { scope, hash } = deviceKey(doors.keys, partner.serial_scope, serial);
    accountId = (await findDevice(db, scope, hash))?.account_id ?? undefined;
  }
  return accountId === undefined ? NOTHING : listSavedItems(db, accountId);
}

/** Who does not want to be read by name is nobody. */
async function readableByName(db: Queryable, username: string): Promise<Maybe<number>> {
  const id = await findAccountIdByUsername(db, username);
  const account = id === undefined ? undefined : await findAccount(db, id);
  return account?.readable_by_name ? account.id : undefined;
}

function nothingWhileAway(error: unknown): undefined {
  if (!(error instanceof Fault) && !isAway(error)) throw error;
}
