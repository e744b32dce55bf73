import { createSign, randomUUID } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { crc32 } from 'node:zlib';
import { createLog } from '@nolo/kit/log';
import { createFakeClock } from '@nolo/testing';
import { createTestCertificate, type TestCertificate } from '../../../simulators/src/paypal/createTestCertificate.ts';
import { GatewayError } from '../src/domain/gateway.ts';
import { createPayPalSignatureChecker, type SignedWebhook } from '../src/gateways/paypalSignatureChecker.ts';

/** Tests the check of webhooks by the certificate that they name, without calling PayPal. */

const log = createLog({ service: 'test', level: 'silent' });
const certUrl = 'https://api.paypal.com/v1/notifications/certs/CERT-1';
const body = Buffer.from('{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","amount":"7.00"}');
let paypal: TestCertificate;
let other: TestCertificate;

beforeAll(async () => {
  [paypal, other] = await Promise.all([createTestCertificate(), createTestCertificate()]);
});

function checker({ pem = () => paypal.certificate, roots = [paypal.root] } = {}) {
  const fetchedUrls: string[] = [];
  const clock = createFakeClock(new Date());
  const state = { answer: (): { status: number; text: string } => ({ status: 200, text: pem() }) };
  const http = {
    async send({ url }: { url: string }) {
      fetchedUrls.push(url);
      return { ...state.answer(), body: undefined };
    },
  };
  const hosts = ['api.paypal.com'];
  const verifySignature = createPayPalSignatureChecker({
    hosts,
    apiUrl: 'https://api-m.paypal.com',
    roots,
    http,
    clock,
    log,
  });
  return { verifySignature, asked: fetchedUrls, state, clock };
}

function signed(more: Partial<SignedWebhook> = {}, by = paypal): SignedWebhook {
  const [transmissionId, transmissionTime, webhookId] = [randomUUID(), '2026-11-24T00:00:00Z', 'WH-ID'];
  const signature = createSign('RSA-SHA256')
    .update(`${transmissionId}|${transmissionTime}|${webhookId}|${crc32(body)}`)
    .sign(by.privateKey, 'base64');
  const all = { certUrl, algorithm: 'SHA256withRSA', transmissionId, transmissionTime, signature, webhookId, body };
  return { ...all, ...more };
}

test('a PayPal signature is verified by its certificate, which is fetched once', async () => {
  const { verifySignature, asked: fetchedUrls } = checker();
  expect(await Promise.all([verifySignature(signed()), verifySignature(signed())])).toEqual(['signed', 'signed']);
  expect(await verifySignature(signed())).toBe('signed');
  expect(fetchedUrls).toEqual([certUrl]);
});

test('any other signature is a forgery, recognized without a lookup', async () => {
  const { verifySignature, asked: fetchedUrls } = checker();
  expect(await verifySignature(signed())).toBe('signed');
  const genuine = signed();
  const forged: Partial<SignedWebhook>[] = [
    { body: Buffer.from(body.toString().replace('7.00', '7.01')) },
    { transmissionId: randomUUID() },
    { transmissionTime: '2026-11-24T00:00:01Z' },
    { webhookId: 'WH-OTHER' },
    { signature: Buffer.alloc(256, 7).toString('base64') },
    { signature: 'x' },
  ];
  for (const change of forged) expect(await verifySignature({ ...genuine, ...change })).toBe('wrong_signature');
  expect(await verifySignature(signed({}, other))).toBe('wrong_signature');
  expect(fetchedUrls).toEqual([certUrl]);
});

test('a certificate from elsewhere is not fetched, and one that PayPal lacks is invalid', async () => {
  const { verifySignature, asked: fetchedUrls, state } = checker();
  for (const url of [
    'https://api.paypal.com.example.org/v1/notifications/certs/CERT-1',
    'https://example.org/CERT-1',
    'http://api.paypal.com/v1/notifications/certs/CERT-1',
    'https://api.paypal.com:8443/v1/notifications/certs/CERT-1',
    'https://somebody@api.paypal.com/v1/notifications/certs/CERT-1',
    'no address',
  ]) {
    expect(await verifySignature(signed({ certUrl: url }))).toBe('wrong_certificate');
  }
  expect(fetchedUrls).toEqual([]);
  state.answer = () => ({ status: 404, text: '' });
  expect(await verifySignature(signed())).toBe('wrong_certificate');
  expect(await verifySignature(signed())).toBe('wrong_certificate');
  expect(fetchedUrls).toHaveLength(1);
});

test('PayPal is asked if a certificate is expired, untrusted or unavailable', async () => {
  const stranger = checker({ roots: [other.root] });
  expect(await stranger.verifySignature(signed())).toBe('unknown');
  const standard = checker({ roots: [...rootCertificates] });
  expect(await standard.verifySignature(signed())).toBe('unknown');
  const late = checker();
  expect(await late.verifySignature(signed())).toBe('signed');
  late.clock.set(new Date(Date.now() + 366 * 86_400_000).toISOString());
  expect(await late.verifySignature(signed())).toBe('unknown');
  const broken = checker({ pem: () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' });
  expect(await broken.verifySignature(signed())).toBe('unknown');
  const away = checker();
  away.state.answer = () => {
    throw new GatewayError('HTTP_503', { retryable: true });
  };
  expect(await away.verifySignature(signed())).toBe('unknown');
  away.state.answer = () => ({ status: 200, text: paypal.certificate });
  expect(await away.verifySignature(signed())).toBe('signed');
  expect(await away.verifySignature(signed({ algorithm: 'SHA512withRSA' }))).toBe('unknown');
});
