import { maskedConfig } from '../config.ts';
import type { Command } from './command.ts';

export const configCommand: Command = {
  usage: ['config'],
  summary: 'print the settings in use, passwords masked',
  async run(_args, config) {
    const rows = maskedConfig(config);
    const width = Math.max(...rows.map(([name]) => name.length));
    for (const [name, value] of rows) console.log(`${name.padEnd(width)}  ${value}`);
  },
};
