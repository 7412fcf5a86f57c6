import type { Page } from 'playwright-core';

/** What a page of the site never does. */
export interface Complaints {
  /** Windows such as `alert` opens, by their text. */
  dialogs: string[];
  /** What the policy of the page refused. */
  refused: string[];
  /** Errors that nobody caught. */
  errors: string[];
  all(): string[];
}

/** Written to the console, which also tells of what happens before a driver could ask. */
const MARK = 'refused by the policy:';
const LISTEN = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
  console.warn('${MARK}', violatedDirective, blockedURI, sample));`;

export async function watchPage(page: Page): Promise<Complaints> {
  const dialogs: string[] = [];
  const refused: string[] = [];
  const errors: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const text = message.text();
    if (text.startsWith(MARK)) refused.push(text);
  });
  page.on('pageerror', (error) => errors.push(error.message));
  await page.addInitScript(LISTEN);
  return {
    dialogs,
    refused,
    errors,
    all: () => [
      ...dialogs.map((text) => `a dialog: ${text}`),
      ...refused,
      ...errors.map((text) => `uncaught: ${text}`),
    ],
  };
}
