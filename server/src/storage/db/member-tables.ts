/**
 * The members' tables and the column by which each is spread over several servers: every statement on one names it, and so runs
 * on one server. Those keyed by the account lie together, so that a transaction on an account stays on one server too. What
 * is found by another key has a table of its own (docs/adr/0005).
 */
export const MEMBER_TABLES: Readonly<Record<string, string>> = {
  accounts: 'id',
  folders: 'account_id',
  presets: 'account_id',
  known_networks: 'account_id',
  account_devices: 'account_id',
  operators: 'account_id',
  app_devices: 'account_id',
  feed_subscriptions: 'account_id',
  episode_actions: 'account_id',
  usernames: 'username_key',
  emails: 'email_key',
  devices: 'serial_hash',
  device_claims: 'code_hash',
  site_sessions: 'token_hash',
  list_tokens: 'token_hash',
  app_passwords: 'secret_hash',
};
