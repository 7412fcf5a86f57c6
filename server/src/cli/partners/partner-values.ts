import { findProfile, profileIds } from '../../core/devices/profiles.ts';
import { type PartnerChanges, isPartnerId } from '../../core/accounts/partners/partners.ts';
import { STREAM_FORMATS, isStreamFormat } from '../../lib/stream-format.ts';
import { UsageError } from '../command.ts';

const text = { type: 'string' } as const;

export const PARTNER_OPTIONS = {
  name: text,
  contact: text,
  'stations-per-group': text,
  'shows-per-group': text,
  'requests-per-second': text,
  formats: text,
  'serial-scope': text,
  'may-forward': text,
  device: text,
  relay: text,
  after: text,
} as const;

export type PartnerValues = { [Option in keyof typeof PARTNER_OPTIONS]?: string };

const MAX_GROUP = 500;
const MAX_RATE = 1_000_000;

/** The columns that each option sets, as the table stores them. */
const READERS: Record<string, (option: string, given: string) => PartnerChanges> = {
  name: (option, given) => ({ name: readText(option, given, 200) }),
  contact: (option, given) => ({ contact: given === 'none' ? null : readText(option, given, 300) }),
  'stations-per-group': (option, given) => ({ stations_per_group: readCount(option, given, MAX_GROUP) }),
  'shows-per-group': (option, given) => ({ shows_per_group: readCount(option, given, MAX_GROUP) }),
  'requests-per-second': (option, given) => ({
    requests_per_second: given === 'none' ? null : readCount(option, given, MAX_RATE, " or 'none'"),
  }),
  formats: (option, given) => ({ formats: given === 'none' ? null : readFormats(option, given) }),
  'may-forward': (option, given) => ({
    may_forward_addresses: readSwitch(option, given, ['yes', 'no']),
  }),
  'serial-scope': (option, given) => ({ serial_scope: readText(option, given, 64) }),
  device: (option, given) => ({ device: given === 'none' ? null : readDevice(option, given) }),
  relay: (option, given) => ({ relay: readSwitch(option, given, ['on', 'off']) }),
};

export function readChanges(values: PartnerValues): PartnerChanges {
  const said = Object.entries(values).map(([option, given]) =>
    READERS[option]?.(`--${option}`, given.trim()),
  );
  return Object.assign({}, ...said);
}

export function parsePartnerId(given: string): string {
  if (isPartnerId(given)) return given;
  throw new UsageError(
    `'${given}' is not a valid id: use 1 to 64 ASCII letters, digits and symbols, without spaces`,
  );
}

function readText(option: string, given: string, longest: number): string {
  if (given.length > 0 && given.length <= longest && !/\p{Cc}/u.test(given)) return given;
  throw new UsageError(`${option} must be 1 to ${longest} characters on one line`);
}

function readCount(option: string, given: string, most: number, orElse = ''): number {
  const count = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (count >= 1 && count <= most) return count;
  throw new UsageError(`${option} is '${given}'; it must be a whole number from 1 to ${most}${orElse}`);
}

export function readDevice(option: string, given: string): string {
  const profile = findProfile(given);
  if (profile) return profile.id;
  throw new UsageError(`${option}: '${given}' is not a device; choose one of ${profileIds()}`);
}

function readSwitch(option: string, given: string, [on, off]: readonly [string, string]): boolean {
  if (given === on || given === off) return given === on;
  throw new UsageError(`${option} is '${given}'; it must be ${on} or ${off}`);
}

function readFormats(option: string, given: string): string {
  const names = given
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !isStreamFormat(name));
  if (unknown === undefined) return [...new Set(names)].join(',');
  throw new UsageError(
    `${option}: '${unknown}' is not a format; choose from ${STREAM_FORMATS.join(', ')}, or 'none'`,
  );
}
