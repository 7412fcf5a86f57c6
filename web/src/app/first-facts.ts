/**
 * What the server wrote into the page: the facts of the item or menu that was opened, for readers without scripts.
 * Listeners see their head at once, in the place where the page's own will be.
 */
const written =
  typeof document === 'undefined'
    ? null
    : document.querySelector<HTMLElement>(`.first-facts[data-page="${pageOf(location)}"] > .facts`);
const address = written && location.pathname + location.search;

/** Without a network the home page stands in for every other one; its facts are not theirs. */
function pageOf({ pathname }: Location): string {
  return /^\/listen\/([a-z-]+)/.exec(pathname)?.[1] ?? 'home';
}

/** Undefined on every page but the one that was opened first. */
export const firstFacts = (): HTMLElement | undefined =>
  written && location.pathname + location.search === address ? written : undefined;

/** The name of what was opened, before the directory has answered. */
export const firstTitle = (): string | undefined =>
  firstFacts()?.querySelector('h1')?.textContent || undefined;
