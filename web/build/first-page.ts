import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { pageWords } from './page-words.ts';

/**
 * Puts `first-call.js` into the page, and writes `pages.json`: the files of every page and language, which the server
 * names in the head of that page, so that browsers ask for them at once, and the words of pages that it writes itself.
 */
export function firstPage(): Plugin {
  let source = '';
  return {
    name: 'first-page',
    configResolved: ({ root }) => {
      source = join(root, 'src/first-call.js');
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        stylesFirst(html.replace('/* first-call.js */', () => brief(readFileSync(source, 'utf8')))),
    },
    async generateBundle(_options, bundle) {
      const pages: Record<string, string[]> = {};
      const languages: Record<string, string> = {};
      const shell = new Set<string>();
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk' && chunk.isEntry && !isEmbed(chunk)) addFiles(chunk.fileName, shell);
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.facadeModuleId === null) continue;
        const [, page] = /\/src\/pages\/([a-z-]+)\/[A-Z]\w+\.tsx$/.exec(chunk.facadeModuleId) ?? [];
        const [, language] = /\/src\/i18n\/translations\/([a-z]{2})\.ts$/.exec(chunk.facadeModuleId) ?? [];
        if (language !== undefined) languages[language] = chunk.fileName;
        if (isEmbed(chunk)) pages['embed'] = filesOf(chunk.fileName);
        if (page === undefined || !chunk.isDynamicEntry) continue;
        pages[page] = filesOf(chunk.fileName).filter((file) => !shell.has(file));
      }
      const all = JSON.stringify({ pages, languages, words: await pageWords() });
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: all });

      function filesOf(name: string): string[] {
        const files = new Set<string>();
        addFiles(name, files);
        return [...files];
      }

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

/** The player for other people's pages, which has nothing to do with the rest. */
export const isEmbed = ({ facadeModuleId }: { facadeModuleId: string | null }): boolean =>
  facadeModuleId?.endsWith('/src/embed/embed.ts') === true;

/** Styles are asked for before scripts: nothing is seen without them. The server adds those of the page behind them. */
function stylesFirst(html: string): string {
  const styles = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
  const others = styles.reduce((rest, style) => rest.replace(style, ''), html);
  return others.replace(
    / *<script type="module"/,
    (script) => `${styles.join('')}    <!--styles-->\n${script}`,
  );
}

/** It is in every answer: without comments and indentation. */
const brief = (script: string): string =>
  script.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s*\n\s*/g, '\n');
