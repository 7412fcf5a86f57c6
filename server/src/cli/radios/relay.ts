import cluster from 'node:cluster';
import { openRelayKeys } from '../../app/open-relay-links.ts';
import { createLog } from '../../lib/log.ts';
import { superviseRelay } from '../../workers/relay/supervisor.ts';
import { type Command, UsageError } from '../command.ts';

export const relayCommand: Command = {
  usage: ['relay'],
  summary: 'send stations on to radios that cannot play them: HTTPS as plain HTTP, HLS as one stream',
  async run(args, config) {
    if (args.length > 0) throw new UsageError('relay takes no arguments; its settings begin with RELAY');
    const keys = openRelayKeys(config);
    if (!keys)
      throw new Error(
        'RELAY is off; set RELAY=home (docs/relay.md) for `longwave relay` and `longwave serve`',
      );
    if (cluster.isPrimary) return superviseRelay(createLog({ level: config.logLevel }));
    // Imported late: the first process needs none of it.
    const { runRelay } = await import('./run-relay.ts');
    await runRelay(keys, config);
  },
};
