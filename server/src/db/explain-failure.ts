const ADVICE: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct DATABASE_URL',
  ENOTFOUND: 'no such host: correct DATABASE_URL',
  '28P01': 'it refused the password: correct DATABASE_URL',
  '28000': 'it refused this user: correct DATABASE_URL, or its pg_hba.conf',
  '3D000': 'it has no such database: create it, or correct DATABASE_URL',
  '42P01': 'its tables are missing: run longwave migrate',
};

/** What to do about a failure that the operator can mend, with where it happened; undefined for any other. */
export function adviceOn(failure: unknown, databaseUrl: string): string | undefined {
  const advice = ADVICE[codeOf(failure)];
  return advice && `PostgreSQL at ${whereOf(databaseUrl)}: ${advice}`;
}

/** Several addresses of one host fail together, each with its own error inside. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Host, port and database, without the password. */
export function whereOf(databaseUrl: string): string {
  const url = URL.parse(databaseUrl);
  const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
  return isPostgres ? `${url.host}${url.pathname}` : 'an address that is not postgres://…';
}
