import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Config } from '../../app/config.ts';
import { openRelayKeys } from '../../app/open-relay-links.ts';
import { createLog } from '../../lib/log.ts';
import { parsePlace } from '../../net/processes/place.ts';
import type { AdmissionLimits } from '../../workers/relay/admission.ts';
import { superviseRelay } from '../../workers/relay/processes/supervisor.ts';
import { type Command, UsageError } from '../command.ts';

export const relayCommand: Command = {
  usage: ['relay'],
  summary: 'send stations on to radios that cannot play them: HTTPS as plain HTTP, HLS as one stream',
  async run(args, config) {
    // A process at work is told its place.
    const place = cluster.isWorker ? parsePlace(args[0] ?? '') : undefined;
    if (args.length > 0 && !place)
      throw new UsageError('relay takes no arguments; its settings begin with RELAY');
    const keys = openRelayKeys(config);
    if (!keys)
      throw new Error(
        'RELAY is off; set RELAY=home (docs/relay.md) for `longwave relay` and `longwave serve`',
      );
    if (cluster.isPrimary)
      return superviseRelay({
        workers: config.relayWorkers ?? availableParallelism(),
        limits: limitsOf(config),
        log: createLog({ level: config.logLevel }),
      });
    // Imported late: the first process needs none of it.
    const { runRelay } = await import('./run-relay.ts');
    await runRelay(keys, config, { limits: limitsOf(config), place });
  },
};

const limitsOf = (config: Config): AdmissionLimits => ({
  listeners: config.relayListeners,
  perAddress: config.relayPerAddress,
  perPartner: config.relayPartnerListeners,
  conversions: config.relayConversions,
});
