/** Fine; worth knowing; worth a look; must be mended; could not be looked at. */
export type State = 'well' | 'note' | 'warning' | 'broken' | 'unknown';

/** One line of the report. */
export interface Finding {
  name: string;
  state: State;
  text: string;
  /** The command or the setting that mends it, where there is something to mend. */
  mend?: string;
}

export const well = (name: string, text: string): Finding => ({ name, state: 'well', text });
export const unknown = (name: string, text: string): Finding => ({ name, state: 'unknown', text });
export const note = (name: string, text: string, mend?: string): Finding => told('note', name, text, mend);
export const warning = (name: string, text: string, mend: string): Finding =>
  told('warning', name, text, mend);
export const broken = (name: string, text: string, mend: string): Finding => told('broken', name, text, mend);

const told = (state: State, name: string, text: string, mend?: string): Finding => ({
  name,
  state,
  text,
  ...(mend !== undefined && { mend }),
});
