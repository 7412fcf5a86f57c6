import { parseArgs } from 'node:util';
import type { KitOptions } from './requests.ts';

export const HELP = `longwave-conformance: does a radio directory keep the protocol that radios rely on?

Asks the server as radios do, row by row of the specification, and says which rows hold. It finds the stations,
genres, places and shows it asks about by itself, changes nothing without --write, and only ever asks the server it
is given.

  longwave-conformance --base-url URL [options]

  --base-url URL         the server, such as http://radio.example.org or http://127.0.0.1:8700
  --https-base-url URL   its HTTPS address; without it the rows about HTTPS are not applicable
  --partner-id ID        a partner ID of that server; without it the rows about presets are not applicable
  --username NAME        an account whose presets may be read
  --serial SERIAL        a device whose presets may be read; an invented one is used otherwise
  --write                also the rows that save: devices and accounts with random names are made for them, presets and
                         folders are removed again, accounts stay; needs --partner-id and --https-base-url
  --section ID           only these rows: 4.1, 4, rules; may be repeated
  --json                 a JSON document instead of the table
  --timeout SECONDS      how long to wait for an answer (10)
  --max-requests N       how many requests to make at most (600)
  --help                 this text

  longwave-conformance --base-url http://127.0.0.1:8700
  longwave-conformance --base-url http://radio.example.org --partner-id demo --username ann
  longwave-conformance --base-url http://radio.example.org --https-base-url https://radio.example.org \\
                       --partner-id demo --write
  longwave-conformance --base-url http://radio.example.org --section 4.7 --section rules
  longwave-conformance --base-url http://radio.example.org --json > report.json

Ends with 0 when no row failed, with 1 when one did, and with 2 when the command cannot be understood.
`;

export interface Arguments {
  kit: KitOptions;
  sections: readonly string[];
  json: boolean;
}

/** The command line was not understood; the message says what to write instead. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What the command line asks for; undefined when that is only help. */
export function readArguments(args: readonly string[]): Arguments | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const baseUrl = values['base-url'];
  if (baseUrl === undefined) throw new UsageError('Say which server: --base-url http://127.0.0.1:8700');
  const https = values['https-base-url'];
  return {
    kit: {
      baseUrl: readUrl('--base-url', baseUrl, ['http:', 'https:']),
      httpsBaseUrl: https === undefined ? undefined : readUrl('--https-base-url', https, ['https:']),
      partnerId: values['partner-id'],
      username: values.username,
      serial: values.serial,
      write: values.write ?? false,
      timeoutMs: readNumber('--timeout', values.timeout ?? '10', 600) * 1000,
      maxRequests: readNumber('--max-requests', values['max-requests'] ?? '600', 100_000),
    },
    sections: values.section ?? [],
    json: values.json ?? false,
  };
}

const text = { type: 'string' } as const;
const OPTIONS = {
  'base-url': text,
  'https-base-url': text,
  'partner-id': text,
  username: text,
  serial: text,
  section: { type: 'string', multiple: true },
  write: { type: 'boolean' },
  json: { type: 'boolean' },
  timeout: text,
  'max-requests': text,
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** The address without a slash at its end, so that paths can follow. */
function readUrl(option: string, given: string, protocols: readonly string[]): string {
  const url = URL.parse(given);
  if (!url || !protocols.includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw new UsageError(`${option} is '${given}'; give an address such as ${protocols[0]}//127.0.0.1:8700`);
  return url.href.replace(/\/+$/, '');
}

function readNumber(option: string, given: string, most: number): number {
  const number = Number(given);
  if (!(number > 0 && number <= most))
    throw new UsageError(`${option} is '${given}'; give a number above 0, at most ${most}`);
  return number;
}
