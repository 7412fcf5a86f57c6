import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { modulesOf } from './build/modules-of.ts';
import { firstPage } from './build/first-page.ts';
import { serviceWorkerFiles } from './build/service-worker-files.ts';
import { wholeBuild } from './build/whole-build.ts';

/** Where `npm run dev` finds a directory: `LONGWAVE_URL=http://localhost:8700 npm run dev -w web`. */
const server = process.env['LONGWAVE_URL'] ?? 'http://localhost:8700';
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Beside what is installed, where nobody looks, and on the same disk. */
const aside = here(`../node_modules/.longwave-web-${process.pid}`);
const asked = { target: server, changeOrigin: false };

const isFirst = modulesOf('main.tsx', 'pages/home/Home.tsx');
const isLinked = modulesOf('pages/station/Station.tsx', 'pages/search/Search.tsx', 'pages/browse/Browse.tsx');

export default defineConfig({
  base: '/listen/',
  plugins: [react(), firstPage(), serviceWorkerFiles(), wholeBuild(aside, here('./dist'))],
  resolve: {
    alias: { '@longwave/client': here('../client/src/client.ts') },
  },
  // The server puts a fresh one in its place for each answer.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: 'es2023',
    // These know `:dir()`; for older ones the build makes a list of languages of it, which goes by no `dir`.
    cssTarget: ['chrome120', 'firefox121', 'safari16.4'],
    outDir: aside,
    emptyOutDir: true,
    rolldownOptions: {
      input: { index: here('./index.html'), embed: here('./src/embed/embed.ts') },
      // What most pages have in common is one file: dozens of small ones cost a tenth more, and a request each.
      output: {
        codeSplitting: {
          groups: [
            // All that the player in other people's pages needs, and nothing else.
            {
              name: 'listening',
              test: /\/web\/src\/(?:player\/engine\/[a-z-]+|items\/songs\/song|app\/on-return)\.ts$/,
              minShareCount: 2,
              priority: 1,
            },
            {
              name: 'common',
              test: /\/web\/src\/(?!pages\/|embed\/|i18n\/translations\/|session\/forms\/(?:PlaceField|fault-words)|design\/Tabs)/,
              minShareCount: 3,
            },
            // What the home page needs with the program is no file of its own either.
            {
              name: (id, modules) => (isFirst(id, modules) ? 'first' : null),
              minShareCount: 2,
            },
            // Nor what the pages share that links lead to: every file costs a slow phone ten milliseconds before it shows
            // anything. The map has enough of its own.
            {
              name: (id, modules) => (isLinked(id, modules) ? 'linked' : null),
              test: /\/web\/src\/(?!items\/plain-letters)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
    // The first page names all that the program begins with, and the server adds the files of the page asked for; of the
    // pages after it, only styles have to be there before them.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((name) => name.endsWith('.css')),
    },
    // An inlined file would need a data: address, which the site's policy refuses.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 600,
  },
  server: { proxy: { '^/listen/api/': asked, '^/(?!listen/)[^?]*': asked } },
});
