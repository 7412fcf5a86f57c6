import type { PartnerRow } from '../members/partners.ts';
import { inColumns } from './in-columns.ts';

const HEADER = ['ID', 'STATE', 'STATIONS', 'SHOWS', 'CALLS/S', 'FORMATS', 'BY', 'NAME'];

/** A line each, in columns. */
export const writePartners = (partners: readonly PartnerRow[]): string =>
  inColumns([
    HEADER,
    ...partners.map(
      ({
        id,
        state,
        stations_per_group,
        shows_per_group,
        requests_per_second,
        formats,
        registered_by,
        name,
      }) => [
        id,
        state,
        String(stations_per_group),
        String(shows_per_group),
        String(requests_per_second ?? '-'),
        formats ?? 'all',
        registered_by,
        name,
      ],
    ),
  ]);

const REGISTERED_BY: Readonly<Record<string, string>> = {
  operator: 'the operator',
  longwave: 'Longwave: devices that are known have this id built in',
  itself: 'itself: a device called with this id (PARTNERS=any); partner disable refuses it for good',
};

/** All that is known of one, with what it means. */
export const writePartner = (partner: PartnerRow): string =>
  inColumns([
    ['id', partner.id],
    ['name', partner.name],
    ['state', partner.state === 'active' ? 'active' : 'disabled: refused like a partner that does not exist'],
    ['registered by', REGISTERED_BY[partner.registered_by] ?? partner.registered_by],
    ['contact', partner.contact ?? 'none'],
    ['stations per group', String(partner.stations_per_group)],
    ['shows per group', String(partner.shows_per_group)],
    [
      'requests per second',
      partner.requests_per_second?.toString() ?? 'none of its own; CALLS_PER_ADDRESS counts',
    ],
    ['formats', partner.formats ?? 'all, unless a call names its own'],
    ['device', partner.device ?? 'told by each call'],
    ['serial scope', partner.serial_scope],
    [
      'may forward',
      partner.may_forward_addresses
        ? 'yes: its X-Forwarded-For says where a listener is'
        : 'no: listeners are where its calls come from',
    ],
  ]);
