import { type FormEvent, useCallback, useRef, useState } from 'react';

export interface Doing {
  isBusy: boolean;
  /** What went wrong the last time. */
  error: unknown;
  /** Does it, unless it is being done already. True when it went well. */
  run: (action: () => Promise<unknown>) => Promise<boolean>;
  /** The same when a form is sent, instead of what the browser would do. */
  onSubmit: (action: () => Promise<unknown>) => (event: FormEvent) => void;
}

/** Something that a button starts: busy until it is done, and what went wrong is kept to be told. */
export function useDoing(): Doing {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({
    isBusy: false,
    error: undefined,
  });
  const isBusy = useRef(false);
  const run = useCallback(async (action: () => Promise<unknown>): Promise<boolean> => {
    if (isBusy.current) return false;
    isBusy.current = true;
    setState({ isBusy: true, error: undefined });
    const error: unknown = await action().then(
      () => undefined,
      (fault: unknown) => fault ?? new Error('It failed without a reason'),
    );
    isBusy.current = false;
    setState({ isBusy: false, error });
    return error === undefined;
  }, []);
  const onSubmit = (action: () => Promise<unknown>) => (event: FormEvent) => {
    event.preventDefault();
    void run(action);
  };
  return { ...state, run, onSubmit };
}
