import { adviceOn, whereOf } from '../db/explain-failure.ts';

/** An error that says where the first load failed and what to do about it; the cause keeps the details. */
export function explainLoadFailure(cause: unknown, databaseUrl: string): Error {
  const details = cause instanceof Error ? cause.message : String(cause);
  const advice =
    adviceOn(cause, databaseUrl) ??
    `PostgreSQL at ${whereOf(databaseUrl)}: ${details}: see whether it is up, and DATABASE_URL`;
  return new Error(
    `The directory cannot be loaded from ${advice}. The first load needs it; later ones can wait.`,
    { cause },
  );
}
