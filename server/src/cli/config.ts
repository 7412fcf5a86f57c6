import { fileOfSecret, maskedConfig } from '../app/config.ts';
import { type Command, UsageError } from './command.ts';
import { newSecret, writeSecrets } from './container/write-secrets.ts';
import { rotateKey } from './upkeep/rotate-key.ts';

export const configCommand: Command = {
  usage: [
    'config',
    'config key',
    'config secrets FOLDER',
    'config rotate-key [switch | finish [--forget]] [--write FILE]',
  ],
  summary:
    'print the settings in use, passwords masked; or a new MEMBER_KEY; or write the secrets of compose.yaml that are missing; or replace MEMBER_KEY while servers run',
  async run([what, ...args], config) {
    if (what === 'key') return console.log(newSecret());
    if (what === 'rotate-key') return rotateKey(args, config);
    const [folder] = args;
    if (what === 'secrets' && folder !== undefined) return sayWritten(folder, writeSecrets(folder));
    if (what === 'secrets') throw new UsageError('config secrets needs the folder to write them to');
    if (what !== undefined)
      throw new UsageError(
        `config prints the settings, config key a new key, config rotate-key replaces it; it knows no '${what}'`,
      );
    const rows = maskedConfig(config);
    const width = Math.max(...rows.map(([name]) => name.length));
    for (const [name, value] of rows) {
      const file = fileOfSecret(name);
      console.log(`${name.padEnd(width)}  ${value}${file === undefined ? '' : `  (from ${file})`}`);
    }
  },
};

/** The names of the files; what is in them is printed nowhere. */
const sayWritten = (folder: string, written: readonly string[]): void =>
  console.log(
    written.length === 0 ? `all secrets are in ${folder}` : written.map((path) => `wrote ${path}`).join('\n'),
  );
