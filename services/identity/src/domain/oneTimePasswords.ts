import { Secret, TOTP } from 'otpauth';

/**
 * Parameters that all authenticator apps support (RFC 6238): SHA-1, six digits, 30 seconds. Some apps ignore other
 * parameters.
 */
const form = { issuer: 'Nolo', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Allowed clock drift in steps, in both directions. */
const drift = 1;

const read = (secret: string, label = '') => new TOTP({ ...form, label, secret: Secret.fromBase32(secret) });

/** Returns a new base-32 secret of 160 bits, as RFC 4226 recommends. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** Returns the address for the QR code. @param label name under which the app lists it */
export function buildTotpUri(secret: string, label: string): string {
  return read(secret, label).toString();
}

/** Returns the step of a one-time password, or undefined if it is not valid now. Compares in constant time. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const totp = read(secret);
  const delta = totp.validate({ token: code, timestamp, window: drift });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
