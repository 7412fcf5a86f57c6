declare global {
  /** Only in browsers that know trusted types. */
  var trustedTypes:
    | { createPolicy: (name: string, rules: ScriptRules) => { createScriptURL: (text: string) => string } }
    | undefined;
}

interface ScriptRules {
  createScriptURL: (text: string) => string;
}

const ADDRESS = '/listen/sw.js';

/** The one script that is loaded by its address: the site's policy wants that said by a rule of this name. */
const workerAddress = (): string =>
  globalThis.trustedTypes
    ?.createPolicy('longwave', { createScriptURL: () => ADDRESS })
    .createScriptURL(ADDRESS) ?? ADDRESS;

/** Once the page stands: what it is made of is kept, so that presets open without a network. */
export function keepShellAtHand(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  addEventListener('load', () => {
    // Without it the site works as well, with a network; a browser that keeps nothing is no failure.
    navigator.serviceWorker.register(workerAddress(), { scope: '/listen/' }).catch(() => {});
  });
}
