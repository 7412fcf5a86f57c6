import { Fault } from '../lib/fault.ts';
import type { PartnerRow } from '../members/partners.ts';
import type { Call } from './endpoint.ts';

/** For calls that cannot be made anonymously. */
export function requirePartner({ caller }: Call): PartnerRow {
  const { partnerId, partner } = caller;
  if (partnerId === undefined) {
    throw new Fault(400, 'partner.required', 'This call needs a partnerId; the operator issues one');
  }
  if (partner?.state !== 'active') {
    throw new Fault(
      403,
      'partner.invalid',
      'This partnerId is not registered here; ask the operator for one',
    );
  }
  return partner;
}
