import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './check.ts';
import { note, warning, well } from './finding.ts';

export const siteCheck: Check = {
  title: 'Site',
  async look({ config: { site, siteHost }, siteFolder }) {
    if (site === 'off') return [note('pages', 'SITE=off: people who open the address see what radios read')];
    const isBuilt = ['index.html', 'built'].every((file) => existsSync(join(siteFolder, file)));
    if (!isBuilt)
      return [warning('pages', 'not built: radios are answered, people are not', 'npm run build')];
    return [well('pages', `built, at ${siteHost === undefined ? '' : siteHost}/listen/`)];
  },
};
