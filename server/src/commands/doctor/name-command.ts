const COMMAND = /\blongwave (?=(?:migrate|import|serve|work|partner|config|probe|why)\b)/g;

/** `longwave migrate` as it has to be typed where this was started. */
export const nameCommand = (text: string, invokedAs: string): string =>
  text.replaceAll(COMMAND, `${invokedAs} `);
