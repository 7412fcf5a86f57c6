/**
 * Makes an error that does not know where it was made: for those that are an outcome like any other, and come by the hundred
 * a second. To find out where takes V8 longer than all else that there is to a refusal.
 */
export function withoutTrace<E extends Error>(make: () => E): E {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
