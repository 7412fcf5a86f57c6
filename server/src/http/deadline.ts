/** The promise's outcome, or the error that `late` makes when it takes longer than that. */
export async function withDeadline<T>(promise: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(late()), timeoutMs);
  try {
    return await Promise.race([promise, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}
