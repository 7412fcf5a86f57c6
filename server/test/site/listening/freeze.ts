import type { House } from '../../house/house.ts';

/** Programs of a house that stand still: the kernel takes calls for them, and nobody answers. */
export interface Frozen extends AsyncDisposable {
  thaw(): Promise<void>;
}

/** By how a program was called, within the house alone: its processes are all that can be seen from inside. */
export async function freeze(house: House, called: string): Promise<Frozen> {
  const [first = '', ...rest] = called;
  // The shell is called by the same words; a pattern that does not match itself leaves it out.
  const pattern = `[${first}]${rest.join('')}`;
  const signal = (name: string): Promise<string> =>
    house.run('sh', ['-c', `pids=$(pgrep -f '${pattern}') && kill -${name} $pids`]);
  await signal('STOP');
  let isFrozen = true;
  const thaw = async (): Promise<void> => {
    if (isFrozen) await signal('CONT');
    isFrozen = false;
  };
  return { thaw, [Symbol.asyncDispose]: thaw };
}
