import type { Patient } from './check.ts';
import { type Finding, note, warning, well } from './finding.ts';

const NAME = 'ready';
const DEADLINE_MS = 2000;

/** What the server says of itself at its private address. */
export async function readyLine({ config, ownFetcher }: Patient): Promise<Finding[]> {
  const { privateHost, privatePort } = config;
  if (privatePort === 0) return [];
  const host = privateHost.includes(':') ? `[${privateHost}]` : privateHost;
  const address = `http://${host}:${privatePort}/readyz`;
  try {
    const { body } = await ownFetcher.fetch(address, { deadlineMs: DEADLINE_MS });
    return [lineOf(body.toString().trim())];
  } catch {
    return [note(NAME, `${address} cannot be asked from here`)];
  }
}

function lineOf(told: string): Finding {
  if (!told.includes('"state":"ready"'))
    return warning(
      NAME,
      `the server says ${told.slice(0, 200)}`,
      'wait a moment: it starts, or it is being stopped',
    );
  if (told.includes('"down"'))
    return warning(
      NAME,
      'the server answers from memory: it does not reach the database',
      'see PostgreSQL above',
    );
  return well(NAME, 'the server takes calls and reaches the database');
}
