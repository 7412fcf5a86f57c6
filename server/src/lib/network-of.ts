import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The key for limits by address: the IPv4 address, or the /64 of an IPv6 address, since one subscriber has a whole /64,
 * however its zeros are written. Text without a colon is not IPv6; asking the runtime costs more than the rest of a
 * rate limit.
 */
export const networkOf = (address: string): string =>
  address.includes(':') && isIPv6(address) ? ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':') : address;
