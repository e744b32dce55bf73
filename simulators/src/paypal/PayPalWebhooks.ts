import { createSign, createVerify, randomUUID, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fromCents, createPaymentId, toCents, type PaymentSimulation } from '../payments/PaymentSimulation.ts';
import { toNotificationFlaw } from '../payments/switches.ts';
import { createTestCertificate } from './createTestCertificate.ts';
import type { PayPalMoney, SimulatedOrder } from './PayPalBook.ts';

interface Options {
  readonly simulation: PaymentSimulation;
  readonly webhookId: string;
  /** Address where the webhook is registered. Unset: nothing is sent. */
  readonly to: string | undefined;
  readonly base: string;
}

interface Kind {
  readonly event: string;
  readonly resourceType: string;
  readonly summary: string;
}

/** Headers of a webhook, under the names of the verification call. */
interface Signed {
  readonly auth_algo?: unknown;
  readonly cert_url?: unknown;
  readonly transmission_id?: unknown;
  readonly transmission_sig?: unknown;
  readonly transmission_time?: unknown;
  readonly webhook_id?: unknown;
}

const algorithm = 'SHA256withRSA';

/**
 * Sends webhooks, signed as PayPal does: RSA over the transmission's id and time, the webhook's id and the body's
 * CRC32.
 */
export class PayPalWebhooks {
  readonly #options: Options;
  /** Created once, while the simulators start. */
  readonly certified = createTestCertificate();
  readonly #certificate = createPaymentId(20).toLowerCase();

  constructor(options: Options) {
    this.#options = options;
  }

  get certificateUrl(): string {
    return `${this.#options.base}/v1/notifications/certs/CERT-${this.#certificate}`;
  }

  async send(kind: Kind, order: SimulatedOrder, resource: object): Promise<void> {
    const { simulation, to, base } = this.#options;
    if (to === undefined) return;
    const set = simulation.switchesOf('paypal');
    const delivery = order.delivery ?? set.delivery;
    const flaw = toNotificationFlaw(delivery);
    const id = `WH-${createPaymentId()}-${createPaymentId()}`;
    const link = `${base}/v1/notifications/webhooks-events/${id}`;
    const body = JSON.stringify({
      id,
      event_version: '1.0',
      create_time: simulation.now().toISOString(),
      resource_type: kind.resourceType,
      resource_version: '2.0',
      event_type: kind.event,
      summary: kind.summary,
      resource: flaw === 'wrong_amount' ? withOtherAmount(resource) : resource,
      links: [
        { href: link, rel: 'self', method: 'GET' },
        { href: `${link}/resend`, rel: 'resend', method: 'POST' },
      ],
    });
    const { privateKey } = await this.certified;
    const headers = this.#headers(
      privateKey,
      body,
      flaw === 'wrong_merchant' ? 'WH-OF-ANOTHER' : this.#options.webhookId,
    );
    if (flaw === 'wrong_signature') headers['paypal-transmission-sig'] = Buffer.alloc(256, 7).toString('base64');
    await simulation.notifier.send(
      { gateway: 'paypal', payment: order.id, event: kind.event },
      { to, headers, body },
      { ...set, delivery },
    );
  }

  /** @param event bytes of the event as in the request: another field order has another CRC32. */
  async verifies(signed: Signed, event: string): Promise<boolean> {
    const { webhook_id, transmission_id, transmission_time, transmission_sig, cert_url, auth_algo } = signed;
    if (webhook_id !== this.#options.webhookId || cert_url !== this.certificateUrl || auth_algo !== algorithm) {
      return false;
    }
    const signature = Buffer.from(String(transmission_sig), 'base64');
    // Decoding ignores invalid Base64.
    if (signature.toString('base64') !== transmission_sig) return false;
    return createVerify('RSA-SHA256')
      .update(signedText(String(transmission_id), String(transmission_time), webhook_id, event))
      .verify((await this.certified).publicKey, signature);
  }

  #headers(key: KeyObject, body: string, webhookId: string): Record<string, string> {
    const id = randomUUID();
    const time = `${this.#options.simulation.now().toISOString().slice(0, 19)}Z`;
    const signature = createSign('RSA-SHA256')
      .update(signedText(id, time, webhookId, body))
      .sign(key, 'base64');
    return {
      'content-type': 'application/json',
      'user-agent': 'PayPal/AUHD-214.0-simulated',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': signature,
      'paypal-cert-url': this.certificateUrl,
      'paypal-auth-algo': algorithm,
      'paypal-auth-version': 'v2',
    };
  }
}

const signedText = (id: string, time: string, webhookId: string, body: string): string =>
  `${id}|${time}|${webhookId}|${crc32(body)}`;

/** Adds one unit to every amount paid in the resource. */
function withOtherAmount(resource: object): object {
  const more = (amount: PayPalMoney): PayPalMoney => ({ ...amount, value: fromCents(toCents(amount.value) + 100) });
  const { amount, purchase_units: units } = resource as {
    amount?: PayPalMoney;
    purchase_units?: { amount: PayPalMoney }[];
  };
  if (amount) return { ...resource, amount: more(amount) };
  if (units) return { ...resource, purchase_units: units.map((unit) => ({ ...unit, amount: more(unit.amount) })) };
  return resource;
}
