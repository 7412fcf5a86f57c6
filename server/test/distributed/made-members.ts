/** Statements that make accounts, of which each has a device, a folder and some presets. */
export const madeMembers = (accounts: number, presetsEach: number): string[] => [
  `INSERT INTO accounts (id, folder_count, preset_count) SELECT n, 1, ${presetsEach} FROM generate_series(1, ${accounts}) n`,
  `INSERT INTO folders (account_id, id, name, is_default, position, last_position)
   SELECT n, n * 1024::bigint + n % 1024, 'Favorites', true, 1, ${presetsEach} FROM generate_series(1, ${accounts}) n`,
  `INSERT INTO presets (account_id, id, folder_id, position, kind, item_id, label)
   SELECT n, (n * ${presetsEach}::bigint + k) * 1024 + n % 1024, n * 1024::bigint + n % 1024, k, 's',
     1 + (n + k) % 100000, 'Station ' || (n + k) % 100000
   FROM generate_series(1, ${accounts}) n, generate_series(1, ${presetsEach}) k`,
  `INSERT INTO devices (scope, serial_hash, account_id)
   SELECT 'made', sha256(n::text::bytea), n FROM generate_series(1, ${accounts}) n`,
  `SELECT setval(pg_get_serial_sequence('accounts', 'id'), ${accounts}), setval('folder_serials', ${accounts + 1}),
     setval('preset_serials', ${(accounts + 2) * presetsEach})`,
];
