import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The station file that tests and benchmarks use where it is at hand: real records, far too many to keep here. */
export const REAL_STATIONS = join(import.meta.dirname, '../../../../shared/data/stations.jsonl.gz');
export const REAL_STATION_RECORDS = 86_888;
/** Three thousand of them. */
export const SAMPLE_STATIONS = join(import.meta.dirname, '../../../../shared/data/stations-sample.jsonl');

/** Three thousand of them, from everywhere. */
export const REAL_SAMPLE = join(import.meta.dirname, '../../../../shared/data/stations-sample.jsonl');

/** One day of one station in each format that schedules are read in. */
export const REAL_SCHEDULES = join(import.meta.dirname, '../../../../shared/data/samples/schedules');

/** A list of podcasts, one JSON object a line. */
export const REAL_PODCASTS = join(import.meta.dirname, '../../../../shared/data/podcast-feeds.jsonl');

/** The reason to skip a test on real data, or false. The gate never skips: there, missing data is a failure. */
export const withoutRealData: string | false =
  existsSync(REAL_STATIONS) || process.env['CI'] === 'true' ? false : `no station file at ${REAL_STATIONS}`;
