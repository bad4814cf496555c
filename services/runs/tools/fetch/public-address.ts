import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** In ranges that are public by their number, but lead to the host's own provider. */
const REFUSED = ['168.63.129.16'];

/**
 * Whether an address is one of the public internet. Whatever is special is none: private, loopback, link-local (with the
 * metadata services of cloud providers), shared, reserved, multicast, and IPv6 that stands for an IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || !ipaddr.isValid(address) || REFUSED.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  // Of IPv6 only this eighth has been given out; the old form of mapped IPv4 is outside it.
  return parsed.kind() === 'ipv4' || ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20;
}
