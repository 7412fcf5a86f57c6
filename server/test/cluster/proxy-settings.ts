import { PATRONI_PORT, POSTGRES_PORT } from './patroni-settings.ts';

/** Where HAProxy listens: for the server that may write, and for those that follow it. */
export const PRIMARY_PORT = 5000;
export const REPLICA_PORT = 5001;

/**
 * HAProxy asks Patroni of every server, once or twice a second, which one it is. Connections to a server that is not what it was, or does
 * not answer, are ended: who holds one is told at once, and never writes to a primary that was replaced.
 */
export const proxySettings = (servers: readonly { name: string; address: string }[]): string => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 1s
  option clitcpka
  option srvtcpka
${listen('primary', PRIMARY_PORT, servers)}
${listen('replica', REPLICA_PORT, servers)}
`;

const listen = (
  role: string,
  port: number,
  servers: readonly { name: string; address: string }[],
): string => `
listen ${role}
  bind :${port}
  balance roundrobin
  option httpchk OPTIONS /${role}
  http-check expect status 200
  default-server inter 1s fastinter 300ms downinter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map(({ name, address }) => `  server ${name} ${address}:${POSTGRES_PORT} check port ${PATRONI_PORT}`).join('\n')}`;
