import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Puts `first-call.js` into the page, and writes `pages.json`: the files of every page and language, which the server
 * names in the head of that page, so that browsers ask for them at once.
 */
export function firstPage(): Plugin {
  let source = '';
  return {
    name: 'first-page',
    configResolved: ({ root }) => {
      source = join(root, 'src/first-call.js');
    },
    transformIndexHtml: (html) =>
      html.replace('/* first-call.js */', () => brief(readFileSync(source, 'utf8'))),
    generateBundle(_options, bundle) {
      const pages: Record<string, string[]> = {};
      const languages: Record<string, string> = {};
      const shell = new Set<string>();
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.isEntry) addFiles(chunk.fileName, shell);
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.facadeModuleId === null) continue;
        const [, page] = /\/src\/pages\/([a-z-]+)\/[A-Z]\w+\.tsx$/.exec(chunk.facadeModuleId) ?? [];
        const [, language] = /\/src\/i18n\/translations\/([a-z]{2})\.ts$/.exec(chunk.facadeModuleId) ?? [];
        if (language !== undefined) languages[language] = chunk.fileName;
        if (page === undefined || !chunk.isDynamicEntry) continue;
        const files = new Set<string>();
        addFiles(chunk.fileName, files);
        pages[page] = [...files].filter((file) => !shell.has(file));
      }
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify({ pages, languages }) });

      function addFiles(name: string, files: Set<string>): void {
        if (files.has(name)) return;
        files.add(name);
        const chunk = bundle[name];
        if (chunk?.type !== 'chunk') return;
        for (const each of chunk.imports) addFiles(each, files);
        for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
      }
    },
  };
}

/** It is in every answer: without comments and indentation. */
const brief = (script: string): string =>
  script.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s*\n\s*/g, '\n');
