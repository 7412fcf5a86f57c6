/**
 * What this thread has taken of the processor so far, in milliseconds. Linux counts a running thread at its ticks only, some
 * milliseconds apart, unless the whole process is asked for just before.
 */
export function threadCpuMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * What some work takes of the processor, in milliseconds. Other programs on the machine do not count, and make it slow only
 * now and then: the least of three is its own.
 */
export function leastCpuMs(work: () => void): number {
  const tries = Array.from({ length: 3 }, () => {
    const startedMs = threadCpuMs();
    work();
    return threadCpuMs() - startedMs;
  });
  return Math.min(...tries);
}
