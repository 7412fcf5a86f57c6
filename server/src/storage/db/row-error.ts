/** PostgreSQL's error classes that are the row's own fault: data exceptions and constraint violations. */
const ROW_ERRORS = /^2[23]/;

/** Whether other rows could be written, also in the same moment. */
export const isRowError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ROW_ERRORS.test(String(error.code));
