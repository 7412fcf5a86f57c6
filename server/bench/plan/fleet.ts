import { callsPerSecond, HABITS, hearing, type Kind, KINDS, peakCallsPerSecond, sum } from './listeners.ts';

/** What one call costs, measured. */
export interface Cost {
  /** CPU microseconds of `longwave serve`, and of PostgreSQL's connections. */
  service: number;
  database: number;
  /** Of the answer's body. */
  bytes: number;
}

export interface Measured {
  costs: Readonly<Record<Kind, Cost>>;
  /** Of one process that answers calls, with all stations. */
  processBytes: number;
  /** Of an account with its device, its folder and its presets, with all indexes. */
  accountBytes: number;
}

/** A month's prices, in whatever money they are given. */
export interface Prices {
  /** A core with 4 GB of memory. */
  core: number;
  /** A terabyte that leaves. */
  terabyteOut: number;
  /** A gigabyte of disk that is kept twice. */
  gigabyteDisk: number;
}

/** Busier than this in the busiest hour, a server has no room for what comes at once. */
const BUSY_AT_MOST = 0.4;
/** Places that fail as a whole; one may be away. */
const PLACES = 3;
/** A process for each core up to here; one house needs no more than one machine. */
const ONE_MACHINE_CORES = 2;
const SERVER_CORES = 16;
/** Servers of the database, each with a copy. */
const DATABASE_COPIES = 3;
const SECONDS_A_MONTH = 730 * 3600;
const HEADER_BYTES = 250;
const SOUND_BITS = 128_000;

/** What so many listeners a month need. */
export interface Fleet {
  listeners: number;
  callsAtPeak: number;
  /** CPU seconds a second in the busiest hour: of the directory's processes and of PostgreSQL. */
  serviceBusy: number;
  databaseBusy: number;
  /** Cores to rent, with room for what comes at once and for a place that is away. */
  serviceCores: number;
  databaseCores: number;
  servers: number;
  serviceMemory: number;
  databaseBytes: number;
  /** Of those cores, busy while alarm clocks ring and a place is away. */
  busyAtAlarm: number;
  bytesOutAMonth: number;
  moneyAMonth: number;
  /** If every sound went through a relay. */
  relayGigabits: number;
}

export function fleetFor(
  listeners: number,
  { costs, processBytes, accountBytes }: Measured,
  prices: Prices,
): Fleet {
  const peak = peakCallsPerSecond(listeners);
  const average = callsPerSecond(listeners);
  const busy = (side: 'service' | 'database', calls: Readonly<Record<Kind, number>>): number =>
    KINDS.reduce((total, kind) => total + (calls[kind] * costs[kind][side]) / 1e6, 0);
  const [serviceBusy, databaseBusy] = [busy('service', peak), busy('database', peak)];
  const fitsOne = (serviceBusy + databaseBusy) / BUSY_AT_MOST <= ONE_MACHINE_CORES;
  const serviceCores = fitsOne ? 1 : spare(serviceBusy);
  const databaseCores = fitsOne ? 1 : Math.max(2, Math.ceil(databaseBusy / BUSY_AT_MOST));
  const databaseBytes = listeners * HABITS.accounts * accountBytes;
  const bytesOut = KINDS.reduce(
    (total, kind) => total + average[kind] * (costs[kind].bytes + HEADER_BYTES),
    0,
  );
  const bytesOutAMonth = bytesOut * SECONDS_A_MONTH;
  const copies = fitsOne ? 1 : DATABASE_COPIES;
  const alarm = { ...peak, tune: peak.tune * HABITS.alarmClocks };
  const left = fitsOne ? serviceCores : (serviceCores * (PLACES - 1)) / PLACES;
  return {
    listeners,
    callsAtPeak: sum(peak),
    serviceBusy,
    databaseBusy,
    serviceCores,
    databaseCores: databaseCores * copies,
    servers: fitsOne ? 1 : Math.max(PLACES, Math.ceil(serviceCores / SERVER_CORES)) + copies,
    serviceMemory: serviceCores * processBytes,
    databaseBytes,
    busyAtAlarm: busy('service', alarm) / left,
    bytesOutAMonth,
    moneyAMonth:
      prices.core * (fitsOne ? ONE_MACHINE_CORES : serviceCores + databaseCores * copies) +
      prices.terabyteOut * (bytesOutAMonth / 1e12) +
      prices.gigabyteDisk * ((databaseBytes * copies) / 1e9),
    relayGigabits: (hearing(listeners) * HABITS.peakOfListeners * SOUND_BITS) / 1e9,
  };
}

/** Cores of the same number in each place, of which one may be away. */
const spare = (busy: number): number => PLACES * Math.max(1, Math.ceil(busy / BUSY_AT_MOST / (PLACES - 1)));
