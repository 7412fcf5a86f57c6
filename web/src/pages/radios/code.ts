const LENGTH = 8;
const GROUP = 4;

/** A code as it is shown while it is typed: in capitals, in groups, without invalid characters. */
export const writeCode = (typed: string): string =>
  typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .slice(0, LENGTH)
    .replaceAll(new RegExp(`(.{${GROUP}})(?=.)`, 'g'), '$1 ');

/** The code itself, once it is complete. */
export function parseCode(typed: string): string | undefined {
  const code = writeCode(typed).replaceAll(' ', '');
  return code.length === LENGTH ? code : undefined;
}
