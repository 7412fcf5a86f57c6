import { keep } from '../app/kept.ts';

/**
 * Lets the page use our fonts, which browsers then load: before the program is there they would take its place in a slow
 * network. Once they were loaded, `first-call.js` does this in the head of the page, since they are at hand.
 */
export async function useOurFonts(): Promise<void> {
  document.documentElement.dataset['fonts'] = '';
  await document.fonts.ready;
  keep('fonts', 'loaded');
}
