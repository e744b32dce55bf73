import { truncateNetwork } from './sessions.ts';

test.each([
  ['196.25.0.17', '196.25.0.x'],
  ['::ffff:196.25.0.17', '196.25.0.x'],
  ['2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['', undefined],
  ['unknown', undefined],
])('truncates the address %s to %s', (address, kept) => expect(truncateNetwork(address)).toBe(kept));
