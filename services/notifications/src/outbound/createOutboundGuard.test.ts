import { BlockList } from 'node:net';
import { createOutboundGuard } from './createOutboundGuard.ts';

const networks = new BlockList();
networks.addSubnet('10.1.0.0', 16, 'ipv4');
const guard = createOutboundGuard(networks);

test.each([
  ['93.184.216.34', 'https://example.org/hook', true],
  ['93.184.216.34', 'https://example.org:443/hook', true],
  ['2606:2800:220:1::1', 'https://example.org/hook', true],
  ['93.184.216.34', 'https://example.org:6379/hook', false],
  ['93.184.216.34', 'https://example.org:80/hook', false],
  ['93.184.216.34', 'https://example.org:8443/hook', false],
  ['10.2.0.1', 'https://example.org/hook', false],
  ['10.1.0.1', 'https://example.org:8443/hook', true],
])('a request to %s for %s: %s', (address, url, allowed) => {
  expect(guard.addressAllowed(address, new URL(url))).toBe(allowed);
});
