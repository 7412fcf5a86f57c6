import { closeSync, openSync, readSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Setting } from './setting.ts';

/** No setting is as long as this; whatever is longer is the wrong file. */
const MAX_SECRET_BYTES = 65_536;

type Variables = Readonly<Record<string, string | undefined>>;
type Named = Pick<Setting<unknown>, 'name' | 'formerly' | 'secret'>;

/** What the environment says about a setting: its text ('' if unset), or what is wrong. */
type SettingText = { text: string } | { problem: string };

/** The variable that names a file with the secret, as containers and systemd hand out secrets. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** The file that a secret is read from; undefined if it is in the environment itself, or unset. */
export function secretFileOf(setting: Named | undefined, variables: Variables): string | undefined {
  const path = setting?.secret ? (variables[fileVariable(setting.name)]?.trim() ?? '') : '';
  return path === '' ? undefined : path;
}

/** The value of a setting; its default if it is unset or wrong, which is added to the problems. */
export function readSetting<T>(
  setting: Omit<Setting<T>, 'write'>,
  variables: Variables,
  problems: string[],
): T {
  const { name, parse, unset, expects, secret } = setting;
  const given = readText(setting, variables);
  if ('problem' in given) {
    problems.push(given.problem);
    return unset;
  }
  const { text } = given;
  if (text === '') return unset;
  const value = parse(text);
  if (value === undefined)
    problems.push(`${name} is ${secret ? 'malformed' : `'${text}'`}; it must be ${expects}`);
  return value ?? unset;
}

function readText(setting: Named, variables: Variables): SettingText {
  const { name, formerly = name } = setting;
  const text = (variables[name] ?? variables[formerly])?.trim() ?? '';
  const path = secretFileOf(setting, variables);
  if (path === undefined) return { text };
  const variable = fileVariable(name);
  if (text !== '') return { problem: `${name} and ${variable} are both set; leave one of them out` };
  // Not quoted: it may be the secret itself.
  if (!isAbsolute(path))
    return { problem: `${variable} must be the path of a file from the root on, such as /run/secrets/name` };
  try {
    return readSecretFile(variable, path);
  } catch (error) {
    return { problem: `${variable} is '${path}', which cannot be read: ${adviceOn(error)}` };
  }
}

function readSecretFile(variable: string, path: string): SettingText {
  const text = readStart(path).trim();
  if (text === '') return { problem: `${variable} is '${path}', which is empty; write the value into it` };
  if (text.length > MAX_SECRET_BYTES)
    return {
      problem: `${variable} is '${path}', which is longer than ${MAX_SECRET_BYTES} bytes; name another file`,
    };
  return { text };
}

/** Enough to tell a secret from a file that is too long. */
function readStart(path: string): string {
  const bytes = Buffer.alloc(MAX_SECRET_BYTES + 1);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder, which a container mounts where the file outside does not exist',
};

function adviceOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return ADVICE[code] ?? code;
}
