import { systemClock } from '@nolo/kit/clock';
import { ConfigError, loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import { z } from 'zod';
import { gatewayConfig, requireCompleteGateways } from './config.ts';
import { createPaymentGateways } from './createPaymentGateways.ts';

const read = (env: Record<string, string>) =>
  loadConfig(z.object(gatewayConfig).superRefine(requireCompleteGateways), env);
const offered = (env: Record<string, string>) =>
  Object.keys(
    createPaymentGateways(read(env), { clock: systemClock, log: createLog({ service: 'billing', level: 'silent' }) }),
  );
const paypal = { PAYPAL_CLIENT_ID: 'client', PAYPAL_CLIENT_SECRET: 'a-secret', PAYPAL_WEBHOOK_ID: 'WH-1' };
const payfast = {
  PAYFAST_MERCHANT_ID: '10000100',
  PAYFAST_MERCHANT_KEY: '46f0cd694581a',
  PAYFAST_PASSPHRASE: 'a-phrase',
};

test('an unconfigured gateway is not offered', () => {
  expect(offered({})).toEqual([]);
  expect(offered(paypal)).toEqual(['paypal']);
  expect(offered({ ...paypal, ...payfast })).toEqual(['paypal', 'payfast']);
});

test('a gateway is configured completely or not at all', () => {
  expect(() => read({ PAYPAL_CLIENT_ID: 'client' })).toThrow(ConfigError);
  expect(() => read({ ...payfast, PAYFAST_PASSPHRASE: '' })).toThrow('PAYFAST_PASSPHRASE');
});

test.each(['127.0.0.1', '::1', '192.0.2.0/24', '2001:db8::/32', 'www.payfast.co.za', 'a.example, 192.0.2.1'])(
  'notifications can come from %s',
  (value) => {
    expect(read({ PAYFAST_SOURCES: value }).PAYFAST_SOURCES).toHaveLength(value.split(',').length);
  },
);

test.each(['192.0.2.0/33', 'a.example/8', 'https://a.example', 'a.example,,', '192.0.2.0/'])(
  '%s is not a source',
  (value) => {
    expect(() => read({ PAYFAST_SOURCES: value })).toThrow('PAYFAST_SOURCES');
  },
);
