import { isPubliclyReachable } from './reach.ts';

test.each([
  ['https://nolo.example.org', true],
  ['https://203.0.113.7:8443', true],
  ['http://[2001:db8::1]', true],
  ['http://localhost:8080', false],
  ['http://simulators.localhost:8090', false],
  ['https://nolo', false],
  ['https://nolo.local.', false],
  ['https://nolo.home.arpa', false],
  ['http://127.0.0.1:8080', false],
  ['https://192.168.1.4', false],
  ['https://172.31.0.1', false],
  ['http://[::1]:8080', false],
  ['http://[::ffff:10.0.0.1]', false],
  ['http://[fd00::1]', false],
])('%s can be reached from outside: %s', (address, reached) => {
  expect(isPubliclyReachable(address)).toBe(reached);
});
