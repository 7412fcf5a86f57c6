import { Fault } from '../lib/fault.ts';

/** Whether it was never registered or is disabled is nobody's business but the operator's. */
export const invalidPartner = (): Fault =>
  new Fault(
    403,
    'partner.invalid',
    'This partnerId is not registered here; ask the operator for one, or leave it out where none is required',
  );

export const tooManyPartners = (): Fault =>
  new Fault(
    403,
    'partner.invalid',
    'This partnerId is not registered here, and as many as may have registered themselves; ask the operator to add it',
  );
