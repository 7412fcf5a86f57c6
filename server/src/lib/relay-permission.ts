/**
 * What a station says about relays (docs/relay.md). `never`: it is not relayed. `each`: one connection for each listener.
 * `shared`: several may share one. Undefined where nobody has said anything.
 */
export const RELAY_PERMISSIONS = ['never', 'each', 'shared'] as const;
export type RelayPermission = (typeof RELAY_PERMISSIONS)[number];

export const parseRelayPermission = (text: string | null): RelayPermission | undefined =>
  RELAY_PERMISSIONS.find((known) => known === text);
