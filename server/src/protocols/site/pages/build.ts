import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { tryParseJson } from '../../../lib/parse-json.ts';

export interface SiteFile {
  contentType: string;
  bytes: Buffer;
  br: Buffer | undefined;
  gzip: Buffer | undefined;
  etag: string;
  /** Its name contains a content hash, so it never changes. */
  isHashed: boolean;
}

/** The built site in memory: a few megabytes. */
export interface Build {
  /** The HTML page used for every address of the site. */
  page: string;
  /** By path below `/listen/`: `assets/index-1a2b3c4d.js`. */
  files: ReadonlyMap<string, SiteFile>;
  /** Files that a page needs beside those in `page`, by the page's name, and words by language. */
  first: FirstFiles;
}

export interface FirstFiles {
  pages: ReadonlyMap<string, readonly string[]>;
  languages: ReadonlyMap<string, string>;
  words: SiteWords;
}

/** What the site says on pages without scripts: by language, then by key. */
export type SiteWords = ReadonlyMap<string, Readonly<Record<string, string>>>;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

const HTML = 'text/html; charset=utf-8';

/** Undefined when there is no build. The build writes `built` last. With `hasPages`, HTML pages are files like others. */
export function readBuild(folder: string, hasPages = false): Build | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const files = new Map<string, SiteFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const contentType = hasPages && name.endsWith('.html') ? HTML : TYPES[extname(name)];
    if (contentType !== undefined && statSync(join(folder, name)).isFile())
      files.set(name.replaceAll('\\', '/'), readFile(folder, name, contentType));
  }
  return { page: readFileSync(index, 'utf8'), files, first: readFirst(files) };
}

function readFile(folder: string, name: string, contentType: string): SiteFile {
  const bytes = readFileSync(join(folder, name));
  const packed = (extension: string): Buffer | undefined => {
    const file = join(folder, name + extension);
    return existsSync(file) ? readFileSync(file) : undefined;
  };
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const isHashed = name.startsWith('assets');
  return { contentType, bytes, br: packed('.br'), gzip: packed('.gz'), etag: `"${hash}"`, isHashed };
}

/** A build without it, or an unexpected one, only starts a little later. */
function readFirst(files: ReadonlyMap<string, SiteFile>): FirstFiles {
  const text = files.get('pages.json')?.bytes.toString('utf8') ?? '{}';
  const { pages, languages, words } = recordOf(tryParseJson(text));
  const isFile = (name: unknown): name is string => typeof name === 'string' && files.has(name);
  return {
    pages: new Map(
      Object.entries(recordOf(pages)).map(([page, names]) => [
        page,
        Array.isArray(names) ? names.filter(isFile) : [],
      ]),
    ),
    languages: new Map(
      Object.entries(recordOf(languages)).flatMap(([language, name]) =>
        isFile(name) ? [[language, name] as const] : [],
      ),
    ),
    words: new Map(
      Object.entries(recordOf(words)).map(([language, said]) => [language, textsOf(recordOf(said))]),
    ),
  };
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const textsOf = (record: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
