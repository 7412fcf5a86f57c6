import { Fault } from '../lib/fault.ts';
import { invalidPartner } from '../members/partner-faults.ts';
import type { PartnerRow } from '../members/partners.ts';
import type { Call } from './endpoint.ts';

/** For calls that cannot be made anonymously. */
export function requirePartner({ caller }: Call): PartnerRow {
  const { partnerId, partner } = caller;
  if (partnerId === undefined) {
    throw new Fault(400, 'partner.required', 'This call needs a partnerId; the operator issues one');
  }
  if (partner?.state !== 'active') throw invalidPartner();
  return partner;
}
