import { generateKeyPairSync, sign } from 'node:crypto';

/* Self-signed certificate, sufficient for a server in tests. Node.js creates keys but no certificates. */

function element(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  // DER requires the shortest length encoding, and browsers are strict about it.
  const length = Buffer.from(content.length.toString(16).padStart(content.length < 0x100 ? 2 : 4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 + length.length]), length, content]);
}

const sequence = (...contents: Uint8Array[]) => element(0x30, ...contents);
const name = (text: string) => {
  const commonName = Buffer.from('0603550403', 'hex');
  return sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from(text)))));
};
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'));

/** Creates a self-signed certificate, valid until 2049. */
export function createSelfSignedCertificate(host: string): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = name(host);
  const times = ['200101000000Z', '491231235959Z'].map((time) => element(0x17, Buffer.from(time)));
  const number = (value: number) => element(0x02, Buffer.from([value]));
  const tbsCertificate = sequence(
    // Version 3, which browsers require, and a serial number.
    element(0xa0, number(2)),
    number(1),
    ecdsaWithSha256,
    subject,
    sequence(...times),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = element(0x03, Buffer.from([0]), sign('sha256', tbsCertificate, privateKey));
  const lines =
    sequence(tbsCertificate, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}
