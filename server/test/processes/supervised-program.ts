#!/usr/bin/env node
/** A command that works in two processes, and does nothing else: what its supervisor does is looked at. SIGUSR2 renews them. */
import cluster from 'node:cluster';
import { createLog } from '../../src/lib/log.ts';
import { Supervisor } from '../../src/net/processes/supervisor.ts';

if (cluster.isPrimary) {
  const words = { renewing: 'renewing', ended: 'a process ended' };
  const supervisor = new Supervisor({
    processes: 2,
    log: createLog({ level: 'info' }),
    startsInTurn: true,
    words,
  });
  process.on('SIGUSR2', () => supervisor.renew());
  supervisor.start();
} else {
  process.on('message', (message) => {
    if (typeof message === 'object' && message && 'process' in message && message.process === 'leave')
      process.exit(0);
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ process: 'ready' });
  console.log(`at work: ${process.pid}`);
}
