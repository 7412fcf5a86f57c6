import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Every rule that is not a mere suggestion, and that of good practice too. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) => ({
  passed: passes.length,
  violations: violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ': ' + help + ' at ' + target.join(' ') + '\\n  ' + failureSummary)),
}))`;

/** What axe finds wrong with a page as it stands, a line each. */
export async function violationsOf(page: Page): Promise<string[]> {
  // Given by the driver, which the page's policy does not concern.
  await page.evaluate(`window.axe ?? (() => { ${SOURCE} })()`);
  const { violations, passed } = await page.evaluate<{ violations: string[]; passed: number }>(RUN);
  if (passed < 5) throw new Error(`axe looked at nothing: only ${passed} of its rules applied`);
  return violations;
}
