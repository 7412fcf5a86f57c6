import type { House } from './house.ts';
import { waitFor } from '../time/wait-until.ts';

/** A display of its own: a number that is free, which the X server says itself. */
export async function startDisplay(house: House): Promise<string> {
  const screen = ['-screen', '0', '800x600x24', '-nolisten', 'tcp', '+extension', 'GLX'];
  const xvfb = house.start('Xvfb', ['-displayfd', '1', ...screen]);
  const number = await waitFor(xvfb, 'the display', async () => /^\d+\n/m.exec(xvfb.said())?.[0].trim());
  return `:${number}`;
}
