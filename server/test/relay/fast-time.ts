/**
 * Loaded with `--import`: time passes `FAST_TIME` times as fast for the whole process, by its clocks and by its timers. What the
 * system does itself, such as sending bytes, takes as long as it takes.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';

const factor = Number(process.env['FAST_TIME'] ?? 1);
const startMs = Date.now();
const [now, epoch] = [performance.now.bind(performance), Date.now.bind(Date)];
performance.now = () => factor * now();
Date.now = () => startMs + factor * (epoch() - startMs);

type Wait = (work: unknown, ms?: number, ...rest: unknown[]) => unknown;
const scaled =
  (wait: Wait): Wait =>
  (work, ms = 0, ...rest) =>
    wait(work, ms / factor, ...rest);
const load = createRequire(import.meta.url);
const { setTimeout: later, setInterval: often } = load('node:timers');
Object.assign(globalThis, { setTimeout: scaled(later), setInterval: scaled(often) });

const promises = load('node:timers/promises');
const { setTimeout: sleep } = promises;
promises.setTimeout = (ms = 0, ...rest: unknown[]) => sleep(ms / factor, ...rest);
syncBuiltinESMExports();
