export type Shared = 'shared' | 'copied' | 'shown' | 'cancelled';

/** By the device's own sheet where the browser has one, else as a link to paste; `shown` where neither is allowed. */
export async function shareLink(title: string, url: string): Promise<Shared> {
  if ('share' in navigator) {
    try {
      await navigator.share({ title, url });
      return 'shared';
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return 'cancelled';
    }
  }
  return (await copied(url)) ? 'copied' : 'shown';
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copiedBySelection(text);
  }
}

/** By plain HTTP, as at home, pages have no clipboard, but what is selected may be copied on a click. */
function copiedBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'heard-only';
  // A dialog lets nothing outside of it be selected.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  const focused = document.activeElement;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
