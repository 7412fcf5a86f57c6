import { maskedConfig, secretFiles } from '../app/config.ts';
import { type Command, UsageError } from './command.ts';
import { newKey, rotateKey } from './rotate-key.ts';

export const configCommand: Command = {
  usage: ['config', 'config key', 'config rotate-key [switch | finish [--forget]] [--write FILE]'],
  summary:
    'print the settings in use, passwords masked; or a new MEMBER_KEY; or replace it while servers run',
  async run([what, ...args], config) {
    if (what === 'key') return console.log(newKey());
    if (what === 'rotate-key') return rotateKey(args, config);
    if (what !== undefined)
      throw new UsageError(
        `config prints the settings, config key a new key, config rotate-key replaces it; it knows no '${what}'`,
      );
    const rows = maskedConfig(config);
    const width = Math.max(...rows.map(([name]) => name.length));
    const files = secretFiles();
    for (const [name, value] of rows) {
      const file = files.get(name);
      console.log(`${name.padEnd(width)}  ${value}${file === undefined ? '' : `  (from ${file})`}`);
    }
  },
};
