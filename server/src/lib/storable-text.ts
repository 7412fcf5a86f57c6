/** PostgreSQL stores no NUL, and rejects half of a surrogate pair in JSON: one such text would undo what is written with it. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '');

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
