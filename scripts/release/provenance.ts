#!/usr/bin/env node
/**
 * `node scripts/release/provenance.ts FILE… > provenance.json`: from which commit, with which inputs and by whom files
 * were built, as an in-toto statement with SLSA's predicate. It is not signed; sign it with what your releases use.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { commitOf, git } from './commit.ts';
import { CHECKOUT } from './packages.ts';

/** Files that decide, beside the source, what is built. */
const INPUTS = ['package-lock.json', '.node-version', '.npmrc'];

export function writeProvenance(outputs: readonly string[], checkout = CHECKOUT, builder = builderId()) {
  if (outputs.length === 0) throw new Error('name the files that were built: provenance.ts FILE…');
  const commit = commitOf(checkout);
  const source = sourceOf(checkout);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: outputs.map((file) => ({ name: basename(file), digest: { sha256: sha256(file) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:longwave:build:v1',
        externalParameters: { source, ref: git(checkout, 'describe', '--tags', '--always', '--dirty') },
        internalParameters: { node: process.versions.node, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          { uri: source, digest: { gitCommit: commit } },
          ...INPUTS.map((file) => ({
            uri: `file:${file}`,
            digest: { sha256: sha256(join(checkout, file)) },
          })),
        ],
      },
      runDetails: {
        builder: { id: builder },
        metadata: { invocationId: `${commit}/${process.pid}`, finishedOn: new Date().toISOString() },
      },
    },
  };
}

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Where the source came from; an address may hold a password, which is left out. */
function sourceOf(checkout: string): string {
  if (!git(checkout, 'remote').split('\n').includes('origin')) return 'git+file:local';
  const address = git(checkout, 'remote', 'get-url', 'origin');
  return `git+${address.replace(/^(\w+:\/\/)[^/@]*@/, '$1')}`;
}

/** On GitHub the workflow; elsewhere the machine, which says no more than that nobody vouches for it. */
function builderId(environment = process.env): string {
  const { GITHUB_SERVER_URL: server, GITHUB_WORKFLOW_REF: workflow } = environment;
  return server !== undefined && workflow !== undefined ? `${server}/${workflow}` : `host:${hostname()}`;
}

if (import.meta.main) console.log(JSON.stringify(writeProvenance(process.argv.slice(2)), undefined, 2));
