import { BlockList, isIP } from 'node:net';

/** Networks that are unreachable from outside. */
const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  inside.addSubnet(network, prefix, 'ipv6');
}

/** Names outside the public DNS: RFC 6761, RFC 6762, RFC 8375, and names that ICANN reserves for internal use. */
const insideNames = /^[^.]+$|\.(?:localhost|local|home\.arpa|internal|lan|test)$/;

/** Returns true if an address may be reachable from outside, as far as it can be judged without a query. */
export function isPubliclyReachable(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 0) return !insideNames.test(host);
  return !inside.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
