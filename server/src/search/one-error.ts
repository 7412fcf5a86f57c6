/** Whether one typing error lies between two words: a letter missing, added, wrong, or two neighbours swapped. */
export function isOneErrorApart(typed: string, meant: string): boolean {
  const a = Array.from(typed);
  const b = Array.from(meant);
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  if (rest(a, start + 1) === rest(b, start + 1)) return true;
  if (rest(a, start) === rest(b, start + 1) || rest(a, start + 1) === rest(b, start)) return true;
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return isSwapped && rest(a, start + 2) === rest(b, start + 2);
}

const rest = (signs: readonly string[], from: number): string => signs.slice(from).join('');
