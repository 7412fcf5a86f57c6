import { Fault } from '../lib/fault.ts';

/** A refusal of a call of the site, whose HTTP status is the fault's own; it may name the field that was wrong. */
export class SiteFault extends Fault {
  override name = 'SiteFault';
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(status, code, message);
    this.field = field;
  }
}
