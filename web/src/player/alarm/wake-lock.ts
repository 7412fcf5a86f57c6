/** Keeps the screen on, and the device awake, as long as the page is seen; browsers take it back when it is not. */
export function holdAwake(onChange: (isHeld: boolean) => void): () => void {
  let lock: WakeLockSentinel | undefined;
  const ending = new AbortController();
  const { signal } = ending;
  const ask = async (): Promise<void> => {
    // Only by HTTPS, and not in every browser.
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return onChange(false);
    try {
      const given = await navigator.wakeLock.request('screen');
      if (signal.aborted) return void given.release();
      lock = given;
      given.addEventListener('release', () => !signal.aborted && onChange(false), { signal });
      onChange(true);
    } catch {
      // A battery that is nearly empty, or the listener's own settings.
      onChange(false);
    }
  };
  void ask();
  document.addEventListener('visibilitychange', () => void ask(), { signal });
  return () => {
    ending.abort();
    void lock?.release();
  };
}
