import { resolveRateLimitAddress, resolveClientAddress } from './clientAddress.ts';

it.each([
  ['10.0.0.1', undefined, 0, '10.0.0.1'],
  ['10.0.0.1', '1.2.3.4', 0, '10.0.0.1'],
  ['10.0.0.1', '1.2.3.4', 1, '1.2.3.4'],
  ['10.0.0.1', '6.6.6.6, 1.2.3.4', 1, '1.2.3.4'],
  ['10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2', 2, '1.2.3.4'],
  ['10.0.0.1', undefined, 2, '10.0.0.1'],
  [undefined, undefined, 0, ''],
  // A household or a rented server has 2^64 addresses, and would otherwise have as many budgets.
  ['10.0.0.2', '[2001:db8:1:2::5]:443', 1, '2001:db8:1:2::/64'],
  ['10.0.0.2', 'unknown', 1, 'unknown'],
])('peer %s, forwarded for %s, %i hops: %s', (peer, forwardedFor, hops, expected) => {
  expect(resolveRateLimitAddress(peer, forwardedFor, hops)).toBe(expected);
});

it.each([
  ['::ffff:10.0.0.1', undefined, 0, '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, 197.97.145.144', 0, '10.0.0.1'],
  ['10.0.0.1', '6.6.6.6, 197.97.145.144:4711', 1, '197.97.145.144'],
  ['10.0.0.1', '[2001:db8:1:2::5]:443', 1, '2001:db8:1:2::5'],
])('whole: peer %s, forwarded for %s, %i hops: %s', (peer, forwardedFor, hops, expected) => {
  expect(resolveClientAddress(peer, forwardedFor, hops)).toBe(expected);
});
