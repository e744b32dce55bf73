import { BlockList, isIP } from 'node:net';

/** Networks that nobody outside reaches. */
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

/** Names that are no names of the internet: RFC 6761, RFC 6762, RFC 8375, and what ICANN keeps for inside. */
const insideNames = /^[^.]+$|\.(?:localhost|local|home\.arpa|internal|lan|test)$/;

/** Whether somebody outside may get to an address, as far as can be told without asking anybody. */
export function mayBeReached(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const version = isIP(host);
  if (version === 0) return !insideNames.test(host);
  return !inside.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
