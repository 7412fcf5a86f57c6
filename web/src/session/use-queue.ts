import { useCallback, useRef, useState } from 'react';

export interface Queue {
  error: unknown;
  /** Runs one after the other, in order. Returns true on success. */
  run: (action: () => Promise<unknown>) => Promise<boolean>;
}

/**
 * Changes that may come faster than they are saved: each waits for the one before. `onRest` is called when none is
 * left.
 */
export function useQueue(onRest: () => void): Queue {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const count = useRef(0);
  const [error, setError] = useState<unknown>();
  const run = useCallback(
    async (action: () => Promise<unknown>): Promise<boolean> => {
      count.current += 1;
      setError(undefined);
      const done = last.current.then(action).then(
        () => true,
        (fault: unknown) => {
          setError(fault);
          return false;
        },
      );
      last.current = done;
      const isDone = await done;
      count.current -= 1;
      if (count.current === 0) onRest();
      return isDone;
    },
    [onRest],
  );
  return { error, run };
}
