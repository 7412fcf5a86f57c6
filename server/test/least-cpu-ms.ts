/**
 * What some work takes of the processor, in milliseconds. Other programs on the machine do not count, and make it slow only
 * now and then: the least of three is its own.
 */
export function leastCpuMs(work: () => void): number {
  const tries = Array.from({ length: 3 }, () => {
    const started = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  });
  return Math.min(...tries);
}
