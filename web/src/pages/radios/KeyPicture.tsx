import type { ReactNode } from 'react';
import type { RadioKey } from './radio-calls.ts';

/** Each in a square of 32, as the keys on the front of a radio. */
const PICTURES: Readonly<Record<RadioKey, string>> = {
  play: 'M5 8h22v16H5ZM14 12.5v7l5.5-3.5Z',
  // A knob with its mark, and the way it is turned.
  knob: 'M16 25a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM16 8v5.5M5 11a12 12 0 0 1 4-4.5M27 11a12 12 0 0 0-4-4.5',
  search: 'M5 8h22v16H5ZM15 18.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM17.5 17.5l3.5 3.5',
  // The three keys of a row, one of them pressed.
  preset: 'M3.5 10h7v12h-7ZM12.5 12h7v10h-7ZM21.5 10h7v12h-7ZM16 15v4',
  power: 'M16 6.5v8M10.5 10a8 8 0 1 0 11 0',
};

/** A picture of the key that was pressed; what it did is said beside it. */
export function KeyPicture({ name }: { name: RadioKey }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 32"
      width="32"
      height="32"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      data-key={name}
    >
      <path d={PICTURES[name]} />
    </svg>
  );
}
