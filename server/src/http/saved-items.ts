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

/** How long a list may not know of what was just saved; presets themselves and descriptions are read anew. */
const FRESH_MS = 10_000;
const STALE_MS = 3_600_000;
/** Nobody waits longer for it. */
const DEADLINE_MS = 100;
const MOST_KNOWN = 20_000;

type Maybe<T> = T | undefined;

/** What callers who name themselves have saved, so that lists and descriptions can say so. */
export class SavedItems {
  readonly #known: ReadThrough<SavedIds>;
  readonly #read: (key: string) => Promise<SavedIds>;

  constructor(db: Queryable, doors: MemberDoors | undefined) {
    this.#read = (key) => readSaved(db, doors, key);
    const times = { freshMs: FRESH_MS, staleMs: STALE_MS, deadlineMs: DEADLINE_MS };
    this.#known = new ReadThrough({ load: this.#read, most: MOST_KNOWN, ...times });
  }

  /** As it is now; nothing for who is nobody here, and while the database is away. */
  async now({ caller }: Call): Promise<Maybe<SavedIds>> {
    const key = keyOf(caller);
    return key === undefined ? undefined : inTime(this.#read(key), DEADLINE_MS).catch(nothingWhileAway);
  }

  /** An endpoint whose lists say what their caller has saved. For who has saved nothing it is as it was. */
  marks({ actions, fallback, ...endpoint }: Endpoint): Endpoint {
    const marked = new Map([...actions].map(([c, action]) => [c, this.#marked(action)] as const));
    const other = (call: Call): Maybe<Action> => {
      const action = fallback?.(call);
      return action && this.#marked(action);
    };
    return { ...endpoint, actions: marked, fallback: fallback && other };
  }

  #marked(action: Action): Action {
    return (call) => {
      const key = keyOf(call.caller);
      if (key === undefined) return action(call);
      const fresh = this.#known.fresh(key);
      if (fresh) return fresh.size === 0 ? action(call) : withSaved(action(call), fresh);
      return this.#afterReading(action, call, key);
    };
  }

  async #afterReading(action: Action, call: Call, key: string): Promise<Answer> {
    const [answer, saved] = await Promise.all([action(call), this.#known.get(key).catch(nothingWhileAway)]);
    return saved && saved.size > 0 ? withSaved(answer, saved) : answer;
  }
}

const withSaved = (answer: Answer | Promise<Answer>, saved: SavedIds): Answer | Promise<Answer> =>
  answer instanceof Promise ? answer.then((made) => ({ ...made, saved })) : { ...answer, saved };

/** By name, else by the device within its partner's scope. A partner that is not known has no devices. */
function keyOf({ username, serial, partner }: Caller): string | undefined {
  if (username !== undefined) return `name ${username.toLowerCase()}`;
  return serial === undefined || !partner ? undefined : `device ${partner.serial_scope}\n${serial}`;
}

const NOTHING: SavedIds = new Set();

async function readSaved(db: Queryable, doors: Maybe<MemberDoors>, key: string): Promise<SavedIds> {
  const accountId = key.startsWith('name ')
    ? await readableByName(db, key.slice('name '.length))
    : doors && (await accountOfDevice(db, doors, key.slice('device '.length)));
  return accountId === undefined ? NOTHING : listSavedItems(db, accountId);
}

/** Who does not want to be read by name is nobody. */
async function readableByName(db: Queryable, username: string): Promise<Maybe<number>> {
  const id = await findAccountIdByUsername(db, username);
  const account = id === undefined ? undefined : await findAccount(db, id);
  return account?.readable_by_name ? account.id : undefined;
}

async function accountOfDevice(db: Queryable, { keys }: MemberDoors, named: string): Promise<Maybe<number>> {
  const end = named.indexOf('\n');
  const { scope, hash } = deviceKey(keys, named.slice(0, end), named.slice(end + 1));
  return (await findDevice(db, scope, hash))?.account_id ?? undefined;
}

function nothingWhileAway(error: unknown): undefined {
  if (!(error instanceof Fault) && !isAway(error)) throw error;
}
