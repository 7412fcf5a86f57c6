import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, after, test } from 'node:test';
import { commitOf, git } from './commit.ts';
import { writeNotices } from './notices.ts';
import { CHECKOUT, productionPackages } from './packages.ts';
import { writeProvenance } from './provenance.ts';
import { writeSbom } from './sbom.ts';
import { changesOf, readRelease } from './tag.ts';

/** A repository with all that a release consists of, and nothing else. */
let repository: string;

before(() => {
  repository = mkdtempSync(join(tmpdir(), 'longwave-release-'));
  const kept = [
    'package.json',
    'package-lock.json',
    'server/package.json',
    'client/package.json',
    'web/package.json',
  ];
  kept.push('server/src/protocols/logos/glyphs/LICENSE', 'NOTICES', '.node-version', '.npmrc', '.gitignore');
  for (const file of kept) cpSync(join(CHECKOUT, file), join(repository, file));
  symlinkSync(join(CHECKOUT, 'node_modules'), join(repository, 'node_modules'));
  const { version }: { version: string } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8'));
  writeFileSync(
    join(repository, 'CHANGELOG.md'),
    `# Changelog\n\n## ${version} - 2026-11-17\n\n- It plays.\n`,
  );
  git(repository, 'init', '--quiet');
  // The ignored folder is a link here, which .gitignore's pattern names as well.
  commit('first');
});
after(() => rmSync(repository, { recursive: true }));

function commit(subject: string): void {
  git(repository, 'add', '--all');
  git(repository, '-c', 'user.name=T', '-c', 'user.email=t@t.invalid', 'commit', '--quiet', '-m', subject);
}

function passGate(): void {
  mkdirSync(join(repository, 'artifacts'), { recursive: true });
  writeFileSync(join(repository, 'artifacts/gate-passed'), `${commitOf(repository)}\n`);
}

test('NOTICES is current; node scripts/release/notices.ts writes it anew', () => {
  assert.equal(readFileSync(join(CHECKOUT, 'NOTICES'), 'utf8') === writeNotices(), true);
});

test('NOTICES names every package of production with a licence', () => {
  const notices = readFileSync(join(CHECKOUT, 'NOTICES'), 'utf8');
  const packages = productionPackages();
  assert.ok(packages.length > 150, `${packages.length} packages`);
  for (const { name, version, licence } of packages) {
    assert.notEqual(licence, '', name);
    assert.ok(notices.includes(`${name} ${version} (${licence})`), name);
  }
  assert.doesNotMatch(notices, /^(?:typescript|knip|oxlint) /m);
});

test('a release is tagged only when the tree, the versions, the change log and the gate agree', () => {
  assert.deepEqual(
    readRelease(repository).problems.map((problem) => problem.slice(0, 27)),
    ['the gate has passed for non'],
  );
  passGate();
  assert.deepEqual(readRelease(repository).problems, []);
  assert.equal(readRelease(repository).notes, '- It plays.');

  writeFileSync(join(repository, 'stray.ts'), '');
  assert.match(readRelease(repository).problems.join(), /not committed:\n\?\? stray\.ts/);
  commit('stray');
  assert.match(
    readRelease(repository).problems.join(),
    /the gate has passed for [0-9a-f]{40}, not for this commit/,
  );
  passGate();

  const manifest = join(repository, 'web/package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/"version": "[^"]+"/, '"version": "9.9.9"'));
  assert.match(readRelease(repository).problems.join(), /web\/package\.json says version 9\.9\.9/);
  git(repository, 'checkout', '--', 'web/package.json');

  writeFileSync(join(repository, 'NOTICES'), 'old');
  assert.match(readRelease(repository).problems.join(), /NOTICES is not current/);
  git(repository, 'checkout', '--', 'NOTICES');

  const { version } = readRelease(repository);
  git(repository, '-c', 'user.name=T', '-c', 'user.email=t@t.invalid', 'tag', '-a', '-m', 'x', `v${version}`);
  assert.match(readRelease(repository).problems.join(), /there is a tag v\d+\.\d+\.\d+ already/);
});

test('the change log is read to its first section only', () => {
  const log = '# Changelog\n\n## [1.2.0] - 2026-01-02\n\n- New\n\n## 1.1.0 - 2025-01-01\n\n- Old\n';
  assert.equal(changesOf(log, '1.2.0'), '- New');
  assert.equal(changesOf(log, '1.1.0'), '', 'not the newest');
  assert.equal(changesOf('# Changelog\n\n## Unreleased\n\n- New\n', '1.2.0'), '');
});

test('the list of parts has every installed package once, with licence and checksum, and the runtime', () => {
  const bom = writeSbom();
  assert.equal(bom.bomFormat, 'CycloneDX');
  assert.match(bom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(bom.metadata.component.name, 'longwave');
  assert.equal(bom.metadata.component.properties?.at(-1)?.value, commitOf(CHECKOUT));
  const refs = bom.components.map((component) => component['bom-ref']);
  assert.equal(new Set(refs).size, refs.length);
  const foreign = bom.components.filter(
    ({ purl }) => purl.startsWith('pkg:npm/') && !purl.includes('/%40longwave/'),
  );
  assert.ok(foreign.length > 100, `${foreign.length} packages`);
  for (const { name, hashes, licenses } of foreign) {
    assert.match(hashes?.[0]?.content ?? '', /^[0-9a-f]{128}$/, name);
    assert.ok(licenses?.length === 1, name);
  }
  assert.ok(refs.includes(`node@${process.versions.node}`));
  assert.ok(!refs.some((ref) => ref.startsWith('knip@')));
  assert.deepEqual(writeSbom(), bom, 'the same again');
});

test('the provenance has the digests of what went in and came out', () => {
  const output = join(repository, 'longwave.tar');
  writeFileSync(output, 'all of it');
  git(repository, 'remote', 'add', 'origin', 'https://someone:secret@code.example/longwave.git');
  const statement = writeProvenance([output], repository, 'https://ci.example/1');
  const { _type: type } = statement;
  assert.equal(type, 'https://in-toto.io/Statement/v1');
  assert.equal(statement.predicateType, 'https://slsa.dev/provenance/v1');
  const sha256 = createHash('sha256').update('all of it').digest('hex');
  assert.deepEqual(statement.subject, [{ name: 'longwave.tar', digest: { sha256 } }]);
  const { buildDefinition, runDetails } = statement.predicate;
  assert.deepEqual(buildDefinition.resolvedDependencies[0], {
    uri: 'git+https://code.example/longwave.git',
    digest: { gitCommit: commitOf(repository) },
  });
  const lock = execFileSync('sha256sum', ['package-lock.json'], { cwd: repository, encoding: 'utf8' }).slice(
    0,
    64,
  );
  assert.deepEqual(buildDefinition.resolvedDependencies[1], {
    uri: 'file:package-lock.json',
    digest: { sha256: lock },
  });
  assert.equal(runDetails.builder.id, 'https://ci.example/1');
  assert.throws(() => writeProvenance([], repository), /name the files/);
});
