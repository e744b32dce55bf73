import { createVerify, X509Certificate } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { crc32 } from 'node:zlib';
import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import { GatewayError } from '../domain/gateway.ts';
import type { GatewayHttpClient } from './http.ts';

/** Signature headers of a webhook. */
export interface SignedWebhook {
  readonly certUrl: string;
  readonly algorithm: string;
  readonly transmissionId: string;
  readonly transmissionTime: string;
  /** Base64. */
  readonly signature: string;
  readonly webhookId: string;
  readonly body: Uint8Array;
}

/** Result of the check. `unknown` means that PayPal has to verify it. */
export type SignatureCheckResult = 'wrong_certificate' | 'wrong_signature' | 'signed' | 'unknown';

interface CertificateOptions {
  /** Hosts where PayPal serves certificates over TLS. */
  readonly hosts: readonly string[];
  /** URL of PayPal's API, which may also serve them. */
  readonly apiUrl: string;
  /** Root certificates in PEM format. Default: Node's. */
  readonly roots?: readonly string[] | undefined;
  readonly http: GatewayHttpClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** Certificate whose chain ends in a root, a missing one, or one that cannot be checked. */
type Known = { readonly key: X509Certificate['publicKey']; readonly until: number } | 'missing' | 'untrusted';

const keptMs = 24 * 3_600_000;
/** Cache time for a missing or untrusted certificate. */
const failureRetryMs = 10 * 60_000;
/** Maximum number of cached certificates. PayPal signs with one at a time, so this only limits forged URLs. */
const maxCachedCertificates = 50;
const longestChain = 6;

/**
 * Detects forged webhooks by the certificate that PayPal signs with, as documented: RSA with SHA-256 over the
 * transmission's ID and time, the webhook's ID and the CRC32 of the body, separated by bars
 * (https://developer.paypal.com/api/rest/webhooks/rest/, "Self-verification method"). A refused webhook needs no call
 * to PayPal; PayPal verifies all others.
 */
export function createPayPalSignatureChecker(
  options: CertificateOptions,
): (webhook: SignedWebhook) => Promise<SignatureCheckResult> {
  const { hosts, apiUrl, http, clock, log } = options;
  const roots = (options.roots ?? rootCertificates).map((pem) => new X509Certificate(pem));
  const kept = new Map<string, { known: Promise<Known>; until: number }>();
  const api = new URL(apiUrl).origin;

  const fetchOne = async (url: string): Promise<Known> => {
    const { status, text } = await http.send({ method: 'GET', url });
    if (status !== 200) return 'missing';
    const now = clock.now();
    const found = readChain(text);
    if (found.length > 0 && isTrusted(found, roots, now) && found[0]) {
      return { key: found[0].publicKey, until: found[0].validToDate.getTime() };
    }
    log.warn({ certificate: new URL(url).pathname }, 'PayPal certificate not verifiable here; asking PayPal');
    return 'untrusted';
  };
  const knownAt = async (url: string): Promise<Known> => {
    const now = clock.now().getTime();
    const before = kept.get(url);
    if (before && before.until > now) return await before.known;
    const known = fetchOne(url);
    const one = { known, until: now + failureRetryMs };
    kept.delete(url);
    kept.set(url, one);
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - maxCachedCertificates))) kept.delete(oldest);
    try {
      const found = await known;
      if (typeof found === 'object') one.until = Math.min(now + keptMs, found.until);
      return found;
    } catch (error) {
      kept.delete(url);
      throw error;
    }
  };

  return async (webhook) => {
    const url = URL.parse(webhook.certUrl);
    const isTheirs = url && (url.origin === api || (url.protocol === 'https:' && hosts.includes(url.host)));
    if (!isTheirs || url.username !== '' || url.password !== '') return 'wrong_certificate';
    if (webhook.algorithm !== 'SHA256withRSA') return 'unknown';
    const known = await knownAt(url.href).catch((error: unknown) => {
      if (error instanceof GatewayError) return 'untrusted' as const;
      throw error;
    });
    if (known === 'missing') return 'wrong_certificate';
    if (known === 'untrusted') return 'unknown';
    return isSigned(webhook, known.key) ? 'signed' : 'wrong_signature';
  };
}

function isSigned(webhook: SignedWebhook, key: X509Certificate['publicKey']): boolean {
  const { transmissionId, transmissionTime, webhookId, body } = webhook;
  const signature = Buffer.from(webhook.signature, 'base64');
  return createVerify('RSA-SHA256')
    .update(`${transmissionId}|${transmissionTime}|${webhookId}|${crc32(body)}`)
    .verify(key, signature);
}

/** Parses PayPal's certificate and its issuers, in that order. */
function readChain(text: string): X509Certificate[] {
  const pemBlocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return pemBlocks.slice(0, longestChain).map((pem) => new X509Certificate(pem));
  } catch {
    return [];
  }
}

const isIssuedBy = (one: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && one.checkIssued(issuer) && one.verify(issuer.publicKey);

/** Returns true if each certificate is issued by the next, the last by a root, and all are valid now. */
function isTrusted(chain: readonly X509Certificate[], roots: readonly X509Certificate[], now: Date): boolean {
  const holds = chain.every(({ validFromDate, validToDate }) => validFromDate <= now && now < validToDate);
  const linked = chain.every((one, index) => {
    const next = chain[index + 1];
    return next === undefined || isIssuedBy(one, next);
  });
  const last = chain.at(-1);
  if (!holds || !linked || !last) return false;
  return roots.some(
    (root) => now < root.validToDate && (root.fingerprint256 === last.fingerprint256 || isIssuedBy(last, root)),
  );
}
