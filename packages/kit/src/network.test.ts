import { networksOf } from './network.ts';

it.each([
  ['10.0.0.1', ['10.0.0.1']],
  ['::ffff:10.0.0.1', ['10.0.0.1']],
  ['1.2.3.4:56789', ['1.2.3.4']],
  ['[2001:db8:1:2::5]:443', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:DB8:1:2::7', ['2001:db8:1:2::/64', '2001:db8:1::/48']],
  ['2001:db8::7', ['2001:db8:0:0::/64', '2001:db8:0::/48']],
  ['::1', ['0:0:0:0::/64', '0:0:0::/48']],
  ['fe80::1%eth0', ['fe80:0:0:0::/64', 'fe80:0:0::/48']],
  ['unknown', ['unknown']],
  ['', ['']],
])('%s counts in %j', (address, networks) => {
  expect(networksOf(address)).toEqual(networks);
});

it.each(['2001:db8:1:2:3:4:5:6', '2001:db8::7', '::1', '10.0.0.1', 'unknown'])(
  'the narrowest network of %s belongs to the same networks',
  (address) => {
    const networks = networksOf(address);
    expect(networksOf(networks[0] ?? '')).toEqual(networks);
  },
);
