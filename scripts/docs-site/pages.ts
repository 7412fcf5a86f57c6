import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import MarkdownIt from 'markdown-it';

export const CHECKOUT = join(import.meta.dirname, '../..');
export const BASE = '/docs/';

/** A document of the checkout and the page made of it. */
export interface Page {
  /** From the root of the checkout: `docs/adr/0001-wings.md`. */
  source: string;
  /** Below /docs/: `adr/0001-wings.html`. */
  path: string;
  title: string;
  html: string;
  /** What the search looks through. */
  sections: Section[];
}

interface Section {
  heading: string;
  /** Empty for what comes before the first heading. */
  anchor: string;
  text: string;
}

/** Documents outside docs/ that are pages too, with their paths. */
const OTHERS: Readonly<Record<string, string>> = {
  'README.md': 'index.html',
  'CHANGELOG.md': 'changelog.html',
  'CONTRIBUTING.md': 'contributing.html',
  'SECURITY.md': 'security.html',
  'client/README.md': 'client.html',
};
const IMAGE = /\.(?:png|svg|jpg)$/;

/** Every page, and the pictures they show, by path. */
export function readPages(checkout = CHECKOUT): { pages: Page[]; images: Map<string, string> } {
  const sources = new Map(
    globSync('docs/**/*.md', { cwd: checkout })
      .toSorted()
      .map((source) => [source, source.slice('docs/'.length).replace(/\.md$/, '.html')]),
  );
  for (const [source, path] of Object.entries(OTHERS)) sources.set(source, path);
  const images = new Map<string, string>();
  const pages = Array.from(sources, ([source, path]) => {
    const text = readFileSync(join(checkout, source), 'utf8').replaceAll(/<!--[^]*?-->/g, '');
    return renderPage(text, { source, path, sources, images });
  });
  return { pages, images };
}

interface Place {
  source: string;
  path: string;
  sources: ReadonlyMap<string, string>;
  images: Map<string, string>;
}

/** As GitHub makes them, since that is where documents are read besides. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

function renderPage(text: string, place: Place): Page {
  const markdown = new MarkdownIt({ linkify: false });
  const tokens = markdown.parse(text, {});
  const sections: Section[] = [{ heading: '', anchor: '', text: '' }];
  const taken = new Map<string, number>();
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const heading = plainText(tokens[index + 1]?.children ?? []);
      const anchor = unused(anchorOf(heading), taken);
      token.attrSet('id', anchor);
      sections.push({ heading, anchor, text: '' });
    }
    if (token.type !== 'inline' && token.type !== 'fence' && token.type !== 'code_block') return;
    for (const child of token.children ?? []) rewriteLink(child, place);
    const section = sections.at(-1);
    if (section) section.text += ` ${token.children ? plainText(token.children) : token.content}`;
  });
  const [, first] = sections;
  const html = markdown.renderer.render(tokens, markdown.options, {});
  return { source: place.source, path: place.path, title: first?.heading ?? place.source, html, sections };
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

const plainText = (tokens: readonly Token[]): string =>
  tokens.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

/** Two headings of one name get different anchors. */
function unused(anchor: string, taken: Map<string, number>): string {
  const before = taken.get(anchor) ?? 0;
  taken.set(anchor, before + 1);
  return before === 0 ? anchor : `${anchor}-${before}`;
}

/** Links between documents become links between pages; those to files of the source, which is not here, become text. */
function rewriteLink(token: Token, place: Place): void {
  const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : undefined;
  const address = name === undefined ? '' : String(token.attrGet(name) ?? '');
  if (name === undefined || address === '' || /^(?:[a-z]+:|#)/.test(address)) return;
  const [file = '', anchor] = address.split('#', 2);
  const target = normalize(join(dirname(place.source), file)).replace(/\/$/, '');
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  const page = place.sources.get(target) ?? (target === 'docs/adr' ? 'adr/index.html' : undefined);
  if (page !== undefined) token.attrSet(name, `${BASE}${page}${fragment}`);
  else if (IMAGE.test(target)) {
    place.images.set(target, target);
    token.attrSet(name, `${BASE}images/${target.slice(target.lastIndexOf('/') + 1)}`);
  } else token.attrs = [['title', target]];
}
