import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { CHECKOUT, codeBlocksOf, readDocument as read } from './read-documents.ts';
import { runLongwave } from '../processes/run-longwave.ts';

const documents = globSync('{*.md,docs/*.md,docs/adr/*.md,client/*.md}', { cwd: CHECKOUT });

/** Code in a document: between backticks, in fences, and in indented lines. */
const codeIn = (text: string): string[] => [
  ...codeBlocksOf(text).flatMap(({ lines }) => lines),
  ...Array.from(text.matchAll(/`([^`\n]+)`/g), ([, span = '']) => span),
];

/** The words after a program's name, up to a comment or another command. */
function callsOf(code: string, program: RegExp): string[][] {
  return [...code.matchAll(program)].map(({ index, 0: name }) => {
    const [rest = ''] = code.slice(index + name.length).split(/\s#|[;|&>,.:"](?=\s|,|$)/, 1);
    return rest.trim().split(/\s+/).filter(Boolean);
  });
}

// Not the name of a unit or a stanza, as in `systemctl restart longwave longwave-worker`.
const LONGWAVE = /(?<![\w./@=-]|\brestart |-u )(?:npm run longwave -- |longwave (?=[a-z…-]))/g;
const NPM_RUN = /(?<![\w-])npm run (?:--silent )?(?!longwave\b)(?=[a-z])/g;

/** What `longwave help` lists, a form a line. */
const forms = runLongwave(['help'], {})
  .stdout.split('\n')
  .filter((line) => line.startsWith('  longwave '))
  .map((line) => line.trim().split(' ').slice(1));
const commands = new Set(forms.map(([name]) => name));

const optionsIn = (words: readonly string[]): string[] =>
  words.flatMap((word) => /--[a-z][\w-]*/.exec(word) ?? []);

/** Why a call of longwave is none that there is. */
function faultOf([name = '', second, ...rest]: string[]): string | undefined {
  if (name === 'help' || name === '…') return undefined;
  if (!commands.has(name)) return `there is no command ${name}`;
  const own = forms.filter(([first]) => first === name);
  const verbs = own.flatMap(([, verb = '']) => (/^[a-z][a-z\d|-]*$/.test(verb) ? verb.split('|') : []));
  const hasOnlyVerbs = own.every(([, verb = '']) => verb === '' || /^[a-z][a-z\d|-]*$/.test(verb));
  const given = second?.replace(/^\[/, '').split('|') ?? [];
  if (hasOnlyVerbs && verbs.length > 0)
    for (const verb of given)
      if (/^[a-z][a-z-]*$/.test(verb) && !verbs.includes(verb)) return `${name} has no ${verb}`;
  const same = given.some((verb) => verbs.includes(verb))
    ? own.filter(([, verb = '']) => verb.split('|').some((each) => given.includes(each)))
    : own;
  // `partner add` takes what `partner set` takes, and says so.
  const known = new Set(optionsIn((same.flat().includes('as') ? own : same).flat()));
  return optionsIn([second ?? '', ...rest])
    .filter((option) => !known.has(option))
    .map((option) => `${name} has no ${option}`)[0];
}

test('every call of longwave in a document is a command that there is, with options that there are', () => {
  assert.ok(forms.length > 40, `${forms.length} forms`);
  const wrong: string[] = [];
  let calls = 0;
  for (const document of documents)
    for (const code of codeIn(read(document)))
      for (const words of callsOf(code, LONGWAVE)) {
        calls += 1;
        const fault = faultOf(words);
        if (fault !== undefined) wrong.push(`${document}: longwave ${words.join(' ')}: ${fault}`);
      }
  assert.ok(calls > 120, `${calls} calls`);
  assert.deepEqual(wrong, []);
});

const scriptsOf = (manifest: string): Record<string, string> => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read(manifest));
  return scripts;
};

/** The source of what a script runs, with the folder of the same name beside it. */
function sourceOf(script: string): string {
  const files = script.match(/(?:scripts|server)\/[\w/-]+\.ts/g) ?? [];
  const folders = files.map((file) =>
    file.startsWith('server/') ? file.replace(/\/[^/]+$/, '') : file.slice(0, -3),
  );
  return [...files, ...folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: CHECKOUT }))]
    .map(read)
    .join('\n');
}

const TAKES_ANY = /^(?:FILE|NAME|…)/;

test('every npm run of a document is a script that there is, with options that its source names', () => {
  const wrong: string[] = [];
  let calls = 0;
  for (const document of documents)
    for (const code of codeIn(read(document)))
      for (const [name = '', ...rest] of callsOf(code, NPM_RUN)) {
        calls += 1;
        const workspace = rest[0] === '-w' ? `${rest[1]}/package.json` : 'package.json';
        const script = scriptsOf(workspace)[name];
        if (script === undefined) {
          wrong.push(`${document}: npm run ${name}`);
          continue;
        }
        const source = sourceOf(script);
        for (const option of optionsIn(rest.slice(rest.indexOf('--') + 1)))
          if (!new RegExp(`\\b${option.slice(2)}\\b`).test(source))
            wrong.push(`${document}: npm run ${name} -- ${option}`);
        const bench = name === 'bench' ? rest[1] : undefined;
        if (
          bench !== undefined &&
          !TAKES_ANY.test(bench) &&
          globSync(`server/bench/**/${bench}*`, { cwd: CHECKOUT }).length === 0
        )
          wrong.push(`${document}: there is no bench ${bench}`);
      }
  assert.ok(calls > 40, `${calls} calls`);
  assert.deepEqual(wrong, []);
});

test('the options of the conformance kit in documents are its own', () => {
  const source = read('client/src/conformance/arguments.ts');
  const options = documents
    .flatMap((document) => codeIn(read(document)))
    .filter((code) => code.includes('longwave-conformance'))
    .flatMap((code) => code.match(/--[a-z][\w-]*/g) ?? []);
  assert.ok(options.length > 3, `${options.length} options`);
  assert.deepEqual(
    options.filter((option) => !source.includes(option.slice(2))),
    [],
  );
});

test('a wrong command is found', () => {
  const faults = [
    'sing',
    'import songs',
    'partner add x --colour red',
    'doctor --jason',
    'import m3u x --station s1',
  ];
  for (const text of faults) assert.notEqual(faultOf(text.split(' ')), undefined, text);
  const right = [
    'serve',
    'import m3u x.m3u --source house',
    'partner add x --contact y',
    'reports --csv',
    '--version',
  ];
  for (const text of right) assert.equal(faultOf(text.split(' ')), undefined, text);
  assert.deepEqual(callsOf('npm run longwave -- doctor --json   # as JSON', LONGWAVE), [
    ['doctor', '--json'],
  ]);
  assert.deepEqual(callsOf('longwave config key; longwave work', LONGWAVE), [['config', 'key'], ['work']]);
});
