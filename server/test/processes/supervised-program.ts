#!/usr/bin/env node
/** A command that works in two processes, and does nothing else: what its supervisor does is looked at. SIGUSR2 renews them. */
import cluster from 'node:cluster';
import { createLog } from '../../src/lib/log.ts';
import { SupervisorLink } from '../../src/net/processes/supervisor-link.ts';
import { Supervisor } from '../../src/net/processes/supervisor.ts';

if (cluster.isPrimary) {
  const words = { renewing: 'renewing', ended: 'a process ended' };
  const supervisor = new Supervisor({
    processes: 2,
    log: createLog({ level: 'info' }),
    startsInTurn: true,
    lookEveryMs: Number(process.argv[2] ?? 10_000),
    words,
  });
  process.on('SIGUSR2', () => supervisor.renew());
  supervisor.start();
} else {
  const link = new SupervisorLink();
  process.on('disconnect', () => process.exit(0));
  link.begin({ leave: () => process.exit(0), report: () => Promise.resolve([]) });
  console.log(`at work: ${process.pid}`);
}
