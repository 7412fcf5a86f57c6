/** The SIGHUP handler; undefined during startup. */
let reload: (() => void) | undefined;
let wasEarly = false;

/**
 * SIGHUP kills a process without a handler, and tools that renew certificates or edit partners send it without knowing
 * whether the server is still starting. A signal before `onHangup` is handled then.
 */
export function expectHangups(): void {
  process.on('SIGHUP', () => {
    if (reload) reload();
    else wasEarly = true;
  });
}

export function onHangup(work: () => void): void {
  reload = work;
  if (wasEarly) work();
  wasEarly = false;
}
