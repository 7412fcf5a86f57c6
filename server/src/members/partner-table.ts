import type { Pool } from 'pg';
import { Fault } from '../lib/fault.ts';
import type { Log } from '../lib/log.ts';
import { invalidPartner, tooManyPartners } from './partner-faults.ts';
import { type PartnerRow, addPartnerItself, findPartner, listPartners } from './partners.ts';

const REFRESH_MS = 30_000;
/** More kinds of devices than any house has. */
export const MOST_BY_THEMSELVES = 200;
/** As devices have them built in; an id of another form has to be added by the operator. */
const BUILT_IN = /^[\w!.-]{1,40}$/;

/** What becomes of an id that nobody has registered: it is refused, or registers itself. */
export type PartnerPolicy = 'registered' | 'any';

/** The partners in memory, since every call names one; an edit is seen within half a minute. */
export interface PartnerTable extends Disposable {
  /** A disabled partner is as good as an unknown one. */
  find(id: string): PartnerRow | undefined;
  /** What becomes of a call with an id that is not found: the partner it registers, or a Fault. */
  admit(id: string): Promise<PartnerRow>;
  /** Reads them now. */
  refresh(): Promise<void>;
}

/** While the database is away the partners are those last seen. */
export async function openPartnerTable(
  pool: Pool,
  log: Log,
  policy: PartnerPolicy = 'registered',
): Promise<PartnerTable> {
  const partners = new Partners(pool, log, policy);
  await partners.read();
  const timer = setInterval(() => void partners.refresh(), REFRESH_MS);
  timer.unref();
  return {
    find: (id) => partners.find(id),
    admit: (id) => partners.admit(id),
    refresh: () => partners.refresh(),
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

class Partners {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #policy: PartnerPolicy;
  #rows = new Map<string, PartnerRow>();
  #byThemselves = 0;
  /** Registrations under way, so that a device that asks for a dozen things at once is written down once. */
  readonly #underWay = new Map<string, Promise<PartnerRow>>();

  constructor(pool: Pool, log: Log, policy: PartnerPolicy) {
    this.#pool = pool;
    this.#log = log;
    this.#policy = policy;
  }

  find(id: string): PartnerRow | undefined {
    const row = this.#rows.get(id);
    return row?.state === 'active' ? row : undefined;
  }

  async admit(id: string): Promise<PartnerRow> {
    const isKnown = this.#rows.has(id);
    if (isKnown || this.#policy === 'registered' || !BUILT_IN.test(id)) throw invalidPartner();
    const before = this.#underWay.get(id);
    if (before) return before;
    if (this.#byThemselves + this.#underWay.size >= MOST_BY_THEMSELVES) throw tooManyPartners();
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
      this.#log.warn({ err: String(error) }, 'partners could not be read again; the old ones stay');
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

  /** Undefined when too many have registered themselves; another process may have been first with this one. */
  async #write(id: string): Promise<PartnerRow | undefined> {
    try {
      const added = await addPartnerItself(this.#pool, id, MOST_BY_THEMSELVES);
      if (added) this.#log.info({ partner: id }, 'a partner registered itself');
      return added ?? (await findPartner(this.#pool, id));
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== 503) throw error;
      // Menus need no database: it counts as registered until the partners are read again, and is written down then.
      return unwritten(id);
    }
  }
}

/** As its row would be, by the columns' defaults: those cannot be asked for while the database is away. */
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
  registered_by: 'itself',
});
