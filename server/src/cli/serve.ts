import cluster from 'node:cluster';
import { createLog } from '../lib/log.ts';
import { parsePlace } from '../net/processes/place.ts';
import { SupervisorLink } from '../net/processes/supervisor-link.ts';
import { type Command, UsageError } from './command.ts';
import { onHangup } from './hangups.ts';
import { defaultProcesses } from './serve/default-processes.ts';

export const serveCommand: Command = {
  usage: ['serve'],
  summary: 'run the server for radios and the site',
  async run(args, config) {
    // One of several processes is told its place.
    const place = cluster.isWorker ? parsePlace(args[0] ?? '') : undefined;
    if (args.length > 0 && !place)
      throw new UsageError('serve takes no arguments; docs/configuration.md has its settings');
    const processes = config.serveProcesses ?? defaultProcesses();
    if (cluster.isPrimary && processes > 1) {
      const { superviseServe } = await import('./serve/supervise-serve.ts');
      const supervisor = superviseServe(processes, createLog({ level: config.logLevel }));
      onHangup(() => supervisor.hangUp());
      return;
    }
    // Imported late: the first of several processes needs none of it.
    const { runServe } = await import('./serve/run-serve.ts');
    await runServe(config, place && { ...place, link: new SupervisorLink() });
  },
};
