let times = 1;

/** For a machine whose disk or processor is slow: waits for the database are this many times longer. */
export function setDatabaseWaitFactor(factor: number): void {
  times = factor;
}

/** How long to wait for the database, of a wait that suits a usual machine. */
export const databaseWait = (usualMs: number): number => usualMs * times;
