import { randomBytes } from 'node:crypto';
import { maskedConfig, secretFiles } from '../app/config.ts';
import { type Command, UsageError } from './command.ts';

const KEY_BYTES = 32;

export const configCommand: Command = {
  usage: ['config', 'config key'],
  summary: 'print the settings in use, passwords masked; or a new MEMBER_KEY',
  async run([what], config) {
    if (what === 'key') return console.log(randomBytes(KEY_BYTES).toString('base64url'));
    if (what !== undefined)
      throw new UsageError(`config prints the settings, config key a new key; it knows no '${what}'`);
    const rows = maskedConfig(config);
    const width = Math.max(...rows.map(([name]) => name.length));
    const files = secretFiles();
    for (const [name, value] of rows) {
      const file = files.get(name);
      console.log(`${name.padEnd(width)}  ${value}${file === undefined ? '' : `  (from ${file})`}`);
    }
  },
};
