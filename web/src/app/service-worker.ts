declare global {
  /** Only in browsers with trusted types. */
  var trustedTypes:
    | { createPolicy: (name: string, rules: ScriptRules) => { createScriptURL: (text: string) => string } }
    | undefined;
}

interface ScriptRules {
  createScriptURL: (text: string) => string;
}

const ADDRESS = '/listen/sw.js';

/** The only script loaded by address: the site's policy requires a trusted-types rule of this name. */
const workerAddress = (): string =>
  globalThis.trustedTypes
    ?.createPolicy('longwave', { createScriptURL: () => ADDRESS })
    .createScriptURL(ADDRESS) ?? ADDRESS;

/** Once the page has loaded: caches the site's files, so that presets open without a network. */
export function keepShellAtHand(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  addEventListener('load', () => {
    // The site works without it while there is a network; disabled storage is not an error.
    navigator.serviceWorker.register(workerAddress(), { scope: '/listen/' }).catch(() => {});
  });
}
