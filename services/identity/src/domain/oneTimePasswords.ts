import { Secret, TOTP } from 'otpauth';

/** What all authenticator apps speak (RFC 6238): SHA-1, six digits, 30 seconds. Some ignore what else an address says. */
const form = { issuer: 'Nolo', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Steps that a clock may be off, either way. */
const drift = 1;

const read = (secret: string, label = '') => new TOTP({ ...form, label, secret: Secret.fromBase32(secret) });

/** 160 bits, as RFC 4226 recommends, to the base of 32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address in the QR code. @param label what the app lists it by */
export function totpAddress(secret: string, label: string): string {
  return read(secret, label).toString();
}

/** The step that a one-time password belongs to; undefined where it is none of now. Compared in constant time. */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const totp = read(secret);
  const delta = totp.validate({ token: code, timestamp, window: drift });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
