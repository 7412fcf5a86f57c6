import type { Pool } from 'pg';
import { Fault } from '../../../lib/fault.ts';
import type { Log } from '../../../lib/log.ts';
import { inTime, READ_MS } from '../../../storage/cache/in-time.ts';
import type { CallerKind, UnknownPartners } from './unknown-partners.ts';
import { addPartnerItself, findPartner, listPartners, type PartnerRow } from './partners.ts';

const REFRESH_MS = 30_000;
const INVALID = 'partner.invalid';
/** More kinds of devices than any household has. */
export const MAX_SELF_REGISTERED = 200;
/** The form of ids built into devices; an id of another form must be added by the operator. */
const BUILT_IN = /^[\w!.-]{1,40}$/;

/** How an unregistered id is treated: it is refused, or it registers itself. */
type PartnerPolicy = 'registered' | 'any';

/** The partners in memory, since every call names one; an edit takes effect within half a minute. */
interface PartnerTable extends Disposable {
  /** A disabled partner is treated like an unknown one. */
  find(id: string): PartnerRow | undefined;
  /** Handles an id that was not found: returns the partner it registers, or throws a Fault and counts the refusal. */
  admit(id: string, kind?: CallerKind): Promise<PartnerRow>;
  /** Reloads the partners now. */
  refresh(): Promise<void>;
}

/** While the database is unreachable the partners last read stay in use. */
export async function openPartnerTable(
  pool: Pool,
  log: Log,
  policy: PartnerPolicy = 'registered',
  unknown?: Pick<UnknownPartners, 'note'>,
): Promise<PartnerTable> {
  const partners = new Partners(pool, log, policy, unknown);
  await partners.read();
  const timer = setInterval(() => void partners.refresh(), REFRESH_MS);
  timer.unref();
  return {
    find: (id) => partners.find(id),
    admit: (id, kind) => partners.admit(id, kind),
    refresh: () => partners.refresh(),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

class Partners {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #policy: PartnerPolicy;
  readonly #unknown: Pick<UnknownPartners, 'note'> | undefined;
  #rows = new Map<string, PartnerRow>();
  #byThemselves = 0;
  /** Registrations in progress, so that a device that sends a dozen requests concurrently is registered once. */
  readonly #underWay = new Map<string, Promise<PartnerRow>>();

  constructor(pool: Pool, log: Log, policy: PartnerPolicy, unknown?: Pick<UnknownPartners, 'note'>) {
    this.#pool = pool;
    this.#log = log;
    this.#policy = policy;
    this.#unknown = unknown;
  }

  find(id: string): PartnerRow | undefined {
    const row = this.#rows.get(id);
    return row?.state === 'active' ? row : undefined;
  }

  async admit(id: string, kind?: CallerKind): Promise<PartnerRow> {
    // A disabled one is registered: the operator knows it.
    if (this.#rows.has(id)) throw invalidPartner();
    try {
      return await this.#newcomer(id);
    } catch (error) {
      if (kind && error instanceof Fault && error.code === INVALID && !this.#rows.has(id))
        this.#unknown?.note(id, kind);
      throw error;
    }
  }

  async #newcomer(id: string): Promise<PartnerRow> {
    if (this.#policy === 'registered' || !BUILT_IN.test(id)) throw invalidPartner();
    const before = this.#underWay.get(id);
    if (before) return before;
    if (this.#byThemselves + this.#underWay.size >= MAX_SELF_REGISTERED) throw tooManyPartners();
    const registering = this.#register(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, registering);
    return registering;
  }

  async read(): Promise<void> {
    const rows = await listPartners(this.#pool);
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#byThemselves = rows.filter((row) => row.registered_by === 'itself').length;
  }

  async refresh(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.#log.warn(
        { err: String(error) },
        'partners could not be reloaded; the last ones read stay in use',
      );
    }
  }

  async #register(id: string): Promise<PartnerRow> {
    const row = await this.#write(id);
    if (row === undefined) throw tooManyPartners();
    this.#rows.set(id, row);
    if (row.registered_by === 'itself') this.#byThemselves += 1;
    if (row.state !== 'active') throw invalidPartner();
    return row;
  }

  /** Undefined when too many have registered themselves; another process may have registered this one first. */
  async #write(id: string): Promise<PartnerRow | undefined> {
    try {
      const added = await inTime(() => addPartnerItself(this.#pool, id, MAX_SELF_REGISTERED), READ_MS);
      if (added) this.#log.info({ partner: id }, 'a partner registered itself');
      return added ?? (await inTime(() => findPartner(this.#pool, id), READ_MS));
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 503) throw error;
      // Menus need no database: it counts as registered until the partners are reloaded, and is stored then.
      return unwritten(id);
    }
  }
}

/** The row as the columns' defaults would make it: those cannot be queried while the database is unreachable. */
export const unwritten = (id: string): PartnerRow => ({
  id,
  name: id,
  state: 'active',
  serial_scope: id,
  contact: null,
  stations_per_group: 50,
  shows_per_group: 10,
  requests_per_second: null,
  formats: null,
  may_forward_addresses: true,
  device: null,
  relay: false,
  registered_by: 'itself',
});

/** Does not reveal whether it was never registered or is disabled; only the operator should know. */
export const invalidPartner = (): Fault =>
  new Fault(
    403,
    INVALID,
    'This partnerId is not registered here; ask the operator for one, or leave it out where none is required',
  );

const tooManyPartners = (): Fault =>
  new Fault(
    403,
    INVALID,
    'This partnerId is not registered here, and no more can register themselves; ask the operator to add it',
  );
