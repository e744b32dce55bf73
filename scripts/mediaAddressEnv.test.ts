import type { NetworkInterfaceInfo } from 'node:os';
import { isMediaOnLoopback, createMediaAddressEnv } from './mediaAddressEnv.ts';

const one = (address: string, internal = false): NetworkInterfaceInfo =>
  ({ address, family: address.includes(':') ? 'IPv6' : 'IPv4', internal }) as NetworkInterfaceInfo;
const lo = [one('127.0.0.1', true), one('::1', true)];
const connected = { lo, eth0: [one('fe80::1'), one('fd00::2'), one('192.0.2.2')], docker0: [one('172.17.0.1')] };

test('a loopback demo also uses a network address for media, for Firefox', () => {
  for (const instance of [{}, { host: 'localhost' }, { host: '127.0.0.1', publicUrl: 'http://localhost:8080' }]) {
    expect(createMediaAddressEnv(instance, connected)).toEqual({ MEDIA_LISTEN_IP: '127.0.0.1,192.0.2.2' });
    expect(isMediaOnLoopback(instance, connected)).toBe(false);
  }
  const sixOnly = { lo, eth0: [one('fe80::1'), one('fd00::2')] };
  expect(createMediaAddressEnv({}, sixOnly)).toEqual({ MEDIA_LISTEN_IP: '127.0.0.1,fd00::2' });
});

test('a machine without a network uses loopback only', () => {
  for (const alone of [{ lo }, { lo, eth0: [one('169.254.3.4'), one('fe80::1')] }]) {
    expect(createMediaAddressEnv({}, alone)).toEqual({});
    expect(isMediaOnLoopback({}, alone)).toBe(true);
  }
});

test('configured addresses are not mixed with detected ones', () => {
  const environment = { MEDIA_ANNOUNCED_ADDRESS: '127.0.0.2' };
  expect(createMediaAddressEnv({ environment }, connected)).toEqual({});
  expect(isMediaOnLoopback({ environment }, connected)).toBe(true);
  expect(isMediaOnLoopback({ environment: { MEDIA_LISTEN_IP: '192.0.2.2' } }, connected)).toBe(false);
});

test('an instance for other machines receives media where they can reach it', () => {
  expect(createMediaAddressEnv({ host: '192.0.2.2' }, connected)).toEqual({ MEDIA_LISTEN_IP: '192.0.2.2' });
  const everywhere = { MEDIA_LISTEN_IP: '0.0.0.0', MEDIA_ANNOUNCED_ADDRESS: '192.0.2.2' };
  expect(createMediaAddressEnv({ host: '0.0.0.0' }, connected)).toEqual(everywhere);
  expect(createMediaAddressEnv({ host: '0.0.0.0', publicUrl: 'https://nolo.example' }, connected)).toEqual({
    ...everywhere,
    MEDIA_ANNOUNCED_ADDRESS: 'nolo.example',
  });
});
