import { type ComponentType, createElement, lazy, type ReactNode } from 'react';

/** A part of the site did not come: there is no network, or the site was rebuilt after this page was opened. */
export class PartMissing extends TypeError {
  override name = 'PartMissing';
  readonly hadNetwork = navigator.onLine;
}

export interface Part<C> {
  /** Shows it; until it is there, the page waits as for anything else. */
  Part: C;
  /** Loads it before it is shown, so that it is there at once. */
  load: () => Promise<C>;
}

/** What to do before what failed is shown again. */
const failed = new Set<() => void>();

/** To be called where a failure was shown: React and Vite remember for good what did not come. */
export function forgetFailures(): void {
  for (const renew of failed) renew();
  failed.clear();
}

/** A component that is loaded when it is first shown, and again after it did not come. */
// oxlint-disable-next-line no-explicit-any -- as React has it
export function part<C extends ComponentType<any>>(load: () => Promise<{ default: C }>): Part<C> {
  let loaded: C | undefined;
  let hasFailed = false;
  const attempt = async (): Promise<{ default: C }> => {
    try {
      if (hasFailed) await askForStylesAgain();
      return await load();
    } catch (cause) {
      hasFailed = true;
      failed.add(() => {
        later = lazy(attempt);
      });
      throw new PartMissing('a part of the site did not come', { cause });
    }
  };
  let later = lazy(attempt);
  // oxlint-disable-next-line no-unsafe-type-assertion -- it takes the same properties
  const shown = (): ComponentType<object> => (loaded ?? later) as unknown as ComponentType<object>;
  const Shown = (properties: object): ReactNode => createElement(shown(), properties);
  return {
    // oxlint-disable-next-line no-unsafe-type-assertion -- as above
    Part: Shown as unknown as C,
    load: async () => (loaded = (await attempt()).default),
  };
}

/** Vite asks for styles once only, and takes a script without them afterwards. */
const askForStylesAgain = (): Promise<unknown> =>
  Promise.all(
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      .filter(({ sheet }) => sheet === null)
      .map(askAgain),
  );

function askAgain(link: HTMLLinkElement): Promise<void> {
  // oxlint-disable-next-line no-unsafe-type-assertion -- of the same kind
  const anew = link.cloneNode() as HTMLLinkElement;
  return new Promise((resolve, reject) => {
    anew.addEventListener('load', () => {
      link.remove();
      resolve();
    });
    anew.addEventListener('error', () => {
      anew.remove();
      reject(new Error(`no styles at ${link.href}`));
    });
    link.after(anew);
  });
}
