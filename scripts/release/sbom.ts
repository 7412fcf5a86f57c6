#!/usr/bin/env node
/** `node scripts/release/sbom.ts > sbom.json`: every package that production runs on, as CycloneDX JSON. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { commitOf, timeOf } from './commit.ts';
import { CHECKOUT, productionPackages } from './packages.ts';

interface Licence {
  license?: { id?: string; name?: string };
  expression?: string;
}

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  licenses?: Licence[];
  properties?: { name: string; value: string }[];
}

export interface Bom {
  bomFormat: string;
  specVersion: string;
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
}

/** npm's own list of what is installed, completed: our name, when, licences it could not read, and the runtime. */
export function writeSbom(checkout = CHECKOUT): Bom {
  const text = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const bom: Bom = JSON.parse(text);
  const { component } = bom.metadata;
  // npm names a workspace after its folder, and calls every program a library.
  Object.assign(component, { type: 'application', name: 'longwave' });
  component.properties = [
    ...(component.properties ?? []),
    { name: 'longwave:commit', value: commitOf(checkout) },
  ];
  bom.metadata.timestamp = timeOf(checkout);
  nameLicences(bom.components, checkout);
  bom.components.push(runtime());
  bom.serialNumber = serialOf(bom);
  return bom;
}

/** npm leaves out what is not an SPDX identifier. */
function nameLicences(components: readonly Component[], checkout: string): void {
  const licences = new Map(
    productionPackages(checkout).map((one) => [`${one.name}@${one.version}`, one.licence]),
  );
  for (const component of components) {
    const name = licences.get(component['bom-ref']);
    if (component.licenses === undefined && name !== undefined) component.licenses = [{ license: { name } }];
  }
}

const runtime = (): Component => ({
  'bom-ref': `node@${process.versions.node}`,
  type: 'platform',
  name: 'node',
  version: process.versions.node,
  purl: `pkg:generic/node@${process.versions.node}`,
  licenses: [{ license: { id: 'MIT' } }],
});

/** From the content, so that the same release has the same document. */
function serialOf({ metadata, components }: Bom): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([metadata, components]))
    .digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

if (import.meta.main) console.log(JSON.stringify(writeSbom(), undefined, 2));
