/**
 * Writes several items together. One that cannot be written must not block the others: a batch that fails is written one by one, where
 * the error may be one item's own.
 */
export async function settleEach<Item>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<unknown>,
  isOfOne: (error: unknown) => boolean = () => true,
): Promise<PromiseSettledResult<unknown>[]> {
  const [together] = await Promise.allSettled([write(items)]);
  const isSettled = together.status === 'fulfilled' || items.length === 1 || !isOfOne(together.reason);
  if (isSettled) return items.map(() => together);
  const alone: PromiseSettledResult<unknown>[] = [];
  for (const item of items) alone.push(...(await Promise.allSettled([write([item])])));
  return alone;
}
