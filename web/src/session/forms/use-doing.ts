import { type FormEvent, useCallback, useRef, useState } from 'react';

export interface Doing {
  isBusy: boolean;
  /** The last error. */
  error: unknown;
  /** Runs the action unless one is under way. Returns true on success. */
  run: (action: () => Promise<unknown>) => Promise<boolean>;
  /** The same as a form's submit handler, instead of the browser's own. */
  onSubmit: (action: () => Promise<unknown>) => (event: FormEvent) => void;
}

/** An action of a button: busy until it is done, with its error kept to be shown. */
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
