import { findProfile, profileIds } from '../devices/profiles.ts';
import { type PartnerChanges, isPartnerId } from '../members/partners.ts';
import { STREAM_FORMATS, isStreamFormat } from '../lib/stream-format.ts';
import { UsageError } from './command.ts';

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
  after: text,
} as const;

export type PartnerValues = { [Option in keyof typeof PARTNER_OPTIONS]?: string };

const LARGEST_GROUP = 500;
const LARGEST_RATE = 1_000_000;

/** The columns that an option says something about, each as the table takes it. */
const READERS: Record<string, (option: string, given: string) => PartnerChanges> = {
  name: (option, given) => ({ name: readText(option, given, 200) }),
  contact: (option, given) => ({ contact: given === 'none' ? null : readText(option, given, 300) }),
  'stations-per-group': (option, given) => ({ stations_per_group: readCount(option, given, LARGEST_GROUP) }),
  'shows-per-group': (option, given) => ({ shows_per_group: readCount(option, given, LARGEST_GROUP) }),
  'requests-per-second': (option, given) => ({
    requests_per_second: given === 'none' ? null : readCount(option, given, LARGEST_RATE, " or 'none'"),
  }),
  formats: (option, given) => ({ formats: given === 'none' ? null : readFormats(option, given) }),
  'may-forward': (option, given) => ({ may_forward_addresses: readYesOrNo(option, given) }),
  'serial-scope': (option, given) => ({ serial_scope: readText(option, given, 64) }),
  device: (option, given) => ({ device: given === 'none' ? null : readDevice(option, given) }),
};

export function readChanges(values: PartnerValues): PartnerChanges {
  const said = Object.entries(values).map(([option, given]) =>
    READERS[option]?.(`--${option}`, given.trim()),
  );
  return Object.assign({}, ...said);
}

export function parsePartnerId(given: string): string {
  if (isPartnerId(given)) return given;
  throw new UsageError(`'${given}' cannot be an id: 1 to 64 plain letters, digits and signs, without spaces`);
}

function readText(option: string, given: string, longest: number): string {
  if (given.length > 0 && given.length <= longest && !/\p{Cc}/u.test(given)) return given;
  throw new UsageError(`${option} must be a text of 1 to ${longest} characters on one line`);
}

function readCount(option: string, given: string, most: number, orElse = ''): number {
  const count = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (count >= 1 && count <= most) return count;
  throw new UsageError(`${option} is '${given}'; it must be a whole number from 1 to ${most}${orElse}`);
}

export function readDevice(option: string, given: string): string {
  const profile = findProfile(given);
  if (profile) return profile.id;
  throw new UsageError(`${option}: '${given}' is no device; there are ${profileIds()}`);
}

function readYesOrNo(option: string, given: string): boolean {
  if (given === 'yes' || given === 'no') return given === 'yes';
  throw new UsageError(`${option} is '${given}'; say yes or no`);
}

function readFormats(option: string, given: string): string {
  const names = given
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const unknown = names.find((name) => !isStreamFormat(name));
  if (unknown === undefined) return [...new Set(names)].join(',');
  throw new UsageError(
    `${option}: '${unknown}' is no format; there are ${STREAM_FORMATS.join(', ')}, or 'none'`,
  );
}
