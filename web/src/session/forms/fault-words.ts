import type { MessageKey } from '../../i18n/messages.ts';
import { SiteFault } from '../calls/api.ts';

/** Faults that a listener may see, in the listener's language; others are shown in the server's own words. */
const BY_CODE = new Map<string, MessageKey>([
  ['validation.credentials', 'account.faultWrong'],
  ['validation.userNameExists', 'account.faultTaken'],
  ['validation.emailExists', 'account.faultEmailTaken'],
  ['site.signedOut', 'account.faultSignedOut'],
  ['site.needsPassword', 'account.faultNeedsPassword'],
  ['site.linkOver', 'account.faultLinkOver'],
  ['site.noMail', 'forgotten.operator'],
  ['site.noAccounts', 'account.closed'],
  ['site.insecure', 'account.insecure'],
  ['request.tooMany', 'account.faultTooMany'],
  ['site.changedMeanwhile', 'account.faultChanged'],
  ['site.notFound', 'account.faultChanged'],
  ['site.usedSince', 'account.faultUsedSince'],
]);

/** For invalid fields, when the only thing to say is what the field should contain. */
const BY_FIELD = new Map<string, MessageKey>([
  ['username', 'account.faultUsername'],
  ['email', 'account.faultEmail'],
  ['password', 'account.faultPassword'],
  ['place', 'account.faultPlace'],
  ['code', 'account.faultCode'],
  ['url', 'account.faultAddress'],
  ['text', 'account.faultList'],
  ['who', 'account.faultWho'],
]);

/** `place.city` belongs to the place field. */
export const fieldOf = (error: unknown): string | undefined =>
  error instanceof SiteFault ? error.field?.split('.', 1)[0] : undefined;

/** The message for an error: one of ours, or the server's sentence. */
export function wordOfFault(error: unknown): { key: MessageKey } | { text: string } {
  if (!(error instanceof SiteFault))
    return { key: isNetwork(error) ? 'state.brokenNetwork' : 'state.brokenOther' };
  if (error.code === 'validation.credentials' && error.status === 403)
    return { key: 'account.faultNotYours' };
  const byField = error.code === 'site.invalid' ? BY_FIELD.get(fieldOf(error) ?? '') : undefined;
  const key = BY_CODE.get(error.code) ?? byField;
  if (key) return { key };
  if (error.status === 429) return { key: 'account.faultTooMany' };
  if (error.status === 503) return { key: 'state.brokenBusy' };
  return error.status >= 500 || error.message === '' ? { key: 'state.brokenOther' } : { text: error.message };
}

const isNetwork = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError');
