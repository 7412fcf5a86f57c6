import type { Outline } from './outline.ts';

/** An answer of either rendering, as one value. */
export interface DirectoryAnswer {
  status: number;
  title: string | undefined;
  fault: string | undefined;
  faultCode: string | undefined;
  outlines: readonly Outline[];
}
