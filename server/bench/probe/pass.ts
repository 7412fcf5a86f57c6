import { createInterface } from 'node:readline';

/** One pass over all stations of the farm, and what it took. */
export interface Pass {
  wallMs: number;
  /** Of the process that listened, all its threads. */
  cpuMs: number;
}

/** The command line arguments of a process of the bench. */
export interface Task {
  stations: number;
  port: number;
  concurrency: number;
}

/** Goes through the farm once for each line on its input, at this concurrency, and prints what that took. */
export function passOnDemand(listen: (number: number, task: Task) => Promise<void>): void {
  const [stations = 0, port = 0, concurrency = 0] = process.argv.slice(2).map(Number);
  createInterface({ input: process.stdin }).on('line', () => {
    void pass({ stations, port, concurrency }, listen).then((told) => console.log(JSON.stringify(told)));
  });
}

async function pass(task: Task, listen: (number: number, task: Task) => Promise<void>): Promise<Pass> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  let next = 0;
  const takeTurns = async (): Promise<void> => {
    while (next < task.stations) {
      const number = next;
      next += 1;
      await listen(number, task);
    }
  };
  await Promise.all(Array.from({ length: task.concurrency }, takeTurns));
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
}
