#!/usr/bin/env node
/** `npm run docs:site`: the documents as pages in dist/docs, which `longwave serve` shows at /docs/. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { BASE, CHECKOUT, type Page, readPages } from './pages.ts';

/** Builds into a folder; `built` is written last, so that a running server takes nothing half written. */
export function buildDocs(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const { pages, images } = readPages();
  const write = (path: string, content: string | Buffer): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    if (typeof content !== 'string') return;
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(content));
  };
  /** Named after its content, so that browsers may keep it for good. */
  const writeAsset = (name: string, content: string): string => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 8);
    const path = `assets/${basename(name, extname(name))}-${hash}${extname(name)}`;
    write(path, content);
    return `${BASE}${path}`;
  };
  const assets = {
    style: writeAsset('style.css', readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')),
    script: writeAsset('search.js', readFileSync(join(import.meta.dirname, 'search.js'), 'utf8')),
    index: writeAsset('index.json', JSON.stringify(searchIndex(pages))),
  };
  const all = [...pages, decisionsPage(pages)];
  for (const page of all) write(page.path, frame(page, all, assets));
  for (const image of images.keys()) write(`images/${basename(image)}`, readFileSync(join(CHECKOUT, image)));
  writeFileSync(join(folder, 'built'), new Date().toISOString());
}

const searchIndex = (pages: readonly Page[]) =>
  pages.flatMap(({ path, title, sections }) =>
    sections
      .filter(({ heading, text }) => heading !== '' && text.trim() !== '')
      .map(({ heading, anchor, text }) => ({ page: title, heading, url: `${BASE}${path}#${anchor}`, text })),
  );

/** The decisions have no page of their own that lists them. */
function decisionsPage(pages: readonly Page[]): Page {
  const links = pages
    .filter(({ path }) => path.startsWith('adr/'))
    .map(({ path, title }) => `<li><a href="${BASE}${path}">${escapeHtml(title)}</a></li>`);
  const html = `<h1 id="decisions">Decisions</h1>\n<ul>\n${links.join('\n')}\n</ul>\n`;
  return { source: '', path: 'adr/index.html', title: 'Decisions', html, sections: [] };
}

function frame(
  page: Page,
  pages: readonly Page[],
  assets: { style: string; script: string; index: string },
): string {
  const links = pages
    .filter(({ path }) => !path.startsWith('adr/') || path === 'adr/index.html')
    .toSorted(
      (a, b) =>
        Number(b.path === 'index.html') - Number(a.path === 'index.html') ||
        a.title.localeCompare(b.title, 'en'),
    )
    .map(({ path, title }) => {
      const current = path === page.path ? ' aria-current="page"' : '';
      return `<li><a href="${BASE}${path}"${current}>${escapeHtml(title)}</a></li>`;
    });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}${page.path === 'index.html' ? '' : ' · Longwave'}</title>
<link rel="stylesheet" href="${assets.style}">
<script defer src="${assets.script}"></script>
</head>
<body>
<nav aria-label="Pages">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" data-index="${assets.index}">
<ul id="results" aria-live="polite"></ul>
<ul>
${links.join('\n')}
</ul>
</nav>
<main>
${page.html}</main>
</body>
</html>
`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

if (import.meta.main) buildDocs(join(CHECKOUT, 'dist/docs'));
