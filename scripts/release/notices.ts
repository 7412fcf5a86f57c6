#!/usr/bin/env node
/** `node scripts/release/notices.ts`: writes NOTICES, the licences of everything that is shipped with Longwave. */
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKOUT, type LockedPackage, productionPackages } from './packages.ts';

const TEXT_FILE = /^(?:[\w-]*-)?(?:licen[sc]e|copying|notice|unlicense)(?:[.-](?:md|txt|mit|apache|bsd))*$/i;
const LICENCES = join(import.meta.dirname, 'licences');
const RULE = '-'.repeat(80);

export function writeNotices(checkout = CHECKOUT): string {
  const packages = productionPackages(checkout);
  const own = packages.filter(({ isPlatform }) => !isPlatform);
  const byText = Map.groupBy(own, (one) => textOf(checkout, one));
  const sections = [...byText].map(([text, several]) =>
    [RULE, several.map(title).join('\n'), '', text, ''].join('\n'),
  );
  return [
    'Longwave is licensed under the Apache License 2.0 (LICENSE). It is shipped with the packages below,',
    'each under its own licence. This file is written by: node scripts/release/notices.ts',
    '',
    ...sections,
    platformSection(
      checkout,
      packages.filter(({ isPlatform }) => isPlatform),
    ),
    fontSection(checkout),
    '',
  ].join('\n');
}

const title = ({ name, version, licence }: LockedPackage): string => `${name} ${version} (${licence})`;

/** The text in the package, or the usual one of its licence where it has none. */
function textOf(checkout: string, one: LockedPackage): string {
  const folder = join(checkout, one.folder);
  const files = readdirSync(folder)
    .filter((file) => TEXT_FILE.test(file))
    .toSorted();
  if (files.length > 0)
    return files.map((file) => tidy(readFileSync(join(folder, file), 'utf8'))).join('\n\n');
  return `The package names its licence only; its author is ${authorOf(folder)}.\n\n${usualText(one.licence)}`;
}

function authorOf(folder: string): string {
  const { author }: { author?: string | { name?: string } } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return (typeof author === 'string' ? author : author?.name) ?? 'not named';
}

const usualText = (licence: string): string => tidy(readFileSync(join(LICENCES, `${licence}.txt`), 'utf8'));

/** Line ends and trailing blanks differ between packages that share a text. */
const tidy = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();

/**
 * Packages for one kind of machine. They are the compiled parts of packages above, except for libvips, whose
 * libraries are under the LGPL. All are named, so that the file is the same wherever it is written.
 */
function platformSection(checkout: string, packages: readonly LockedPackage[]): string {
  return [
    RULE,
    'Compiled for one kind of machine; one of each family is installed:',
    ...packages.map((one) => `  ${title(one)}`),
    '',
    '@img/sharp-libvips-* hold libvips and the libraries it uses, linked dynamically: you may replace them by your',
    'own. Their source: https://github.com/lovell/sharp-libvips',
    '',
    librariesOfLibvips(checkout),
    '',
    usualText('LGPL-3.0'),
    '',
    usualText('GPL-3.0'),
    '',
  ].join('\n');
}

/** Each of these packages has the same table of libraries and licences, whatever machine it is for. */
function librariesOfLibvips(checkout: string): string {
  const [readme] = globSync('node_modules/@img/sharp-libvips-*/README.md', { cwd: checkout });
  if (readme === undefined) throw new Error('sharp is not installed with its libraries; run npm ci');
  const [, licensing = ''] = readFileSync(join(checkout, readme), 'utf8').split(/^## Licensing$/m);
  return tidy(licensing);
}

const fontSection = (checkout: string): string =>
  [
    RULE,
    'Letters of drawn logos: outlines of Noto Sans',
    '',
    tidy(readFileSync(join(checkout, 'server/src/protocols/logos/glyphs/LICENSE'), 'utf8')),
  ].join('\n');

if (import.meta.main) writeFileSync(join(CHECKOUT, 'NOTICES'), writeNotices());
