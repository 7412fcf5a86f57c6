import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { isEmbed } from './first-page.ts';

const OFFLINE_PAGES = /\/pages\/(?:home|presets)\//;

/**
 * Writes `sw.js` with the names of the files that make up the shell: what every page needs, the page of presets that is
 * opened without a network, the home page, whose head is kept and names its files, and the plain typeface.
 */
export function serviceWorkerFiles(): Plugin {
  let source = '';
  return {
    name: 'service-worker-files',
    apply: 'build',
    configResolved: ({ root }) => {
      source = join(root, 'src/service-worker.js');
    },
    generateBundle(_options, bundle) {
      const files = new Set<string>();
      const add = (name: string): void => {
        if (files.has(name)) return;
        files.add(name);
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk') return;
        chunk.imports.forEach(add);
        chunk.viteMetadata?.importedCss.forEach(add);
      };
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const isOffline = OFFLINE_PAGES.test(chunk.facadeModuleId ?? '');
        if ((chunk.isEntry && !isEmbed(chunk)) || isOffline) add(chunk.fileName);
      }
      for (const name of Object.keys(bundle))
        if (/(?:inter|fraunces)-latin-wght-normal/.test(name)) add(name);
      const shell = [...files].toSorted().map((name) => `/listen/${name}`);
      const version = createHash('sha256').update(shell.join('\n')).digest('hex').slice(0, 12);
      const text = readFileSync(source, 'utf8')
        .replace('__SHELL__', () => JSON.stringify(shell))
        .replace('__VERSION__', version);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: text });
    },
  };
}
