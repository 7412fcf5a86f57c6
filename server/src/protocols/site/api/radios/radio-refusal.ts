import type { Words } from '../../../../core/i18n/words.ts';
import type { DiaryCall } from '../../../../core/devices/recent-calls.ts';

/** Why a call of a radio did not do what its owner wanted, and what to do; undefined when it did. */
export function whyRefused(
  { code = '', status, answer }: DiaryCall,
  name: string | undefined,
  words: Words,
): string | undefined {
  if (code === '' && status < 400) return undefined;
  const of = { name: name ?? words.text('radio-did.unlisted') };
  if (code === 'tune.nothing') return words.text('radio-failed.silent', of);
  if (code === 'tune.notCompatible') return words.text('radio-failed.cannotPlay', of);
  if (code === 'validation.credentials') return words.text('radio-failed.password');
  if (code === 'request.idInvalid' || status === 404) return words.text('radio-failed.gone');
  if (code.startsWith('partner.')) return words.text('radio-failed.maker');
  if (code === 'request.insecure') return words.text('radio-failed.insecure');
  if (status === 429) return words.text('radio-failed.tooOften');
  if (status >= 500) return words.text('radio-failed.server');
  return words.text('radio-failed.other', { reason: answer ?? String(status) });
}
