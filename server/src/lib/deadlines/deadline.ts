/** The promise's outcome, or the error from `late` after the timeout; the work itself goes on. */
export const withDeadline = <T>(promise: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> =>
  orLater<T>(promise, timeoutMs, () => Promise.reject(late()));

/** The same with a value to go on with. */
export const orElseAfter = <T>(promise: Promise<T>, timeoutMs: number, value: T): Promise<T> =>
  orLater(promise, timeoutMs, () => Promise.resolve(value));

async function orLater<T>(promise: Promise<T>, timeoutMs: number, late: () => Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<T>();
  const timer = setTimeout(() => deadline.resolve(late()), timeoutMs);
  try {
    return await Promise.race([promise, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
