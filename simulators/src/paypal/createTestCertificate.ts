// The certificate library needs this import before it is loaded.
import 'reflect-metadata';
import { KeyObject } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Key and certificate that sign webhooks. */
export interface TestCertificate {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** PEM of the certificate, as served. */
  readonly certificate: string;
  /** PEM of the root certificate that signed it. */
  readonly root: string;
}

const signing = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
};
const dayMs = 86_400_000;

/** Creates a key, with a certificate from a private root. */
export async function createTestCertificate(): Promise<TestCertificate> {
  const [rootKeys, keys] = await Promise.all([newKeys(), newKeys()]);
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + 365 * dayMs) };
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: '01',
    name: 'CN=Root of the simulated PayPal',
    keys: rootKeys,
    signingAlgorithm: signing,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    serialNumber: '02',
    subject: 'CN=messageverificationcerts.paypal.simulated',
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    signingAlgorithm: signing,
  });
  return {
    privateKey: KeyObject.from(keys.privateKey),
    publicKey: KeyObject.from(keys.publicKey),
    certificate: certificate.toString('pem'),
    root: root.toString('pem'),
  };
}

const newKeys = () => crypto.subtle.generateKey(signing, true, ['sign', 'verify']);
