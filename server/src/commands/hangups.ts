/** What is done on SIGHUP; undefined until the start is over. */
let reload: (() => void) | undefined;
let wasEarly = false;

/**
 * SIGHUP ends a process that does not listen for it, and whoever renews a certificate or edits a partner sends it without
 * knowing whether the server has just been started. One that comes before `onHangup` is done then.
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
