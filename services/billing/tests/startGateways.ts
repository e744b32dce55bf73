import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '@nolo/kit/clock';
import { loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import type { PaymentGatewayId } from '@nolo/rules';
import { z } from 'zod';
import { createSimulators } from '../../../simulators/src/app.ts';
import { configSchema as simulatorsConfig } from '../../../simulators/src/config.ts';
import type { SimulatedNotification } from '../../../simulators/src/payments/NotificationSender.ts';
import type { DeliveryMode } from '../../../simulators/src/payments/switches.ts';
import { GatewayError, type GatewayOrder, type PaymentOrder } from '../src/domain/gateway.ts';
import { gatewayConfig } from '../src/gateways/config.ts';
import { createPaymentGateways, type GatewayDependencies } from '../src/gateways/createPaymentGateways.ts';
import { startGatewayNotificationReceiver } from './startGatewayNotificationReceiver.ts';

const log = createLog({ service: 'billing', level: 'silent' });
export const returnUrl = 'http://localhost:8080/payment/success';
export const cancelUrl = 'http://localhost:8080/payment/cancel';

export type Env = Readonly<Record<string, string>>;

/** Starts the simulators, the adapters that call them, and a server for notifications. */
export async function startGateways() {
  const receiver = await startGatewayNotificationReceiver();
  const config = loadConfig(simulatorsConfig, {
    OIDC_CLIENT_SECRET: 'a-secret-for-the-tests',
    OIDC_REDIRECT_URIS: 'http://localhost:8080/api/callback',
    PAYPAL_WEBHOOK_URL: `${receiver.url}/paypal`,
  });
  const simulators = createSimulators({ config, log });
  const { url } = await simulators.start();
  const root = await (await fetch(`${url}/paypal/simulated-root.pem`)).text();

  const callSimulator = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const reply = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`the simulators returned ${reply.status}: ${await reply.text()}`);
    return reply;
  };
  const gateways = (env: Env = {}, more: Partial<GatewayDependencies & { clock: Clock }> = {}) => {
    const read = loadConfig(z.object(gatewayConfig), {
      PAYPAL_URL: `${url}/paypal`,
      PAYPAL_CLIENT_ID: 'simulated-paypal-client',
      PAYPAL_CLIENT_SECRET: 'simulated-paypal-secret',
      PAYPAL_WEBHOOK_ID: 'WH-SIMULATED',
      PAYFAST_URL: `${url}/payfast`,
      PAYFAST_API_URL: `${url}/payfast/api`,
      PAYFAST_MERCHANT_ID: '10000100',
      PAYFAST_MERCHANT_KEY: '46f0cd694581a',
      PAYFAST_PASSPHRASE: 'simulated-passphrase',
      PAYFAST_SOURCES: '127.0.0.1,::1',
      ...env,
    });
    const { paypal, payfast } = createPaymentGateways(read, { clock: systemClock, log, roots: [root], ...more });
    if (!paypal || !payfast) throw new Error('both gateways must be configured');
    return { paypal, payfast };
  };

  return {
    url,
    receiver,
    gateways,
    ...gateways(),
    set: (gateway: PaymentGatewayId, switches: object = {}) =>
      callSimulator('PUT', `/payments/${gateway}/switches`, switches),
    answers: (gateway: PaymentGatewayId, ...answers: object[]) =>
      callSimulator('PUT', `/payments/${gateway}/answers`, answers),
    act: (gateway: PaymentGatewayId, order: string, action: string, value?: string) =>
      callSimulator('POST', `/payments/${gateway}/payments/${order}`, { action, value }),
    async notifications(gateway: PaymentGatewayId): Promise<SimulatedNotification[]> {
      const reply = await callSimulator('GET', `/payments/notifications?gateway=${gateway}`);
      return ((await reply.json()) as { notifications: SimulatedNotification[] }).notifications;
    },
    resendNotification: (id: string) => callSimulator('POST', `/payments/notifications/${id}/send`),
    endTokens: () => callSimulator('POST', '/paypal/end-tokens'),
    newOrder: (more: Partial<PaymentOrder> = {}) => newOrder(receiver.url, more),
    async stop() {
      await simulators.stop();
      await receiver.stop();
    },
  };
}

const newOrder = (notify: string, more: Partial<PaymentOrder>): PaymentOrder => ({
  id: randomUUID(),
  userId: randomUUID(),
  item: 'plus',
  seats: 1,
  description: 'Nolo Plus, 30 days',
  amountMinor: 700,
  currency: 'USD',
  returnUrl,
  cancelUrl,
  notifyUrl: `${notify}/payfast`,
  firstName: 'Ada',
  lastName: "O'Neill & Söhne",
  email: 'ada@example.org',
  ...more,
});

export const amountInZar = { currency: 'ZAR', amountMinor: 12_900 } as const;

export const createTestGatewayOrder = (order: PaymentOrder, more: Partial<GatewayOrder> = {}): GatewayOrder => ({
  id: order.id,
  gatewayOrderId: null,
  gatewayPaymentId: null,
  amountMinor: order.amountMinor,
  currency: order.currency,
  createdAt: new Date(),
  ...more,
});

/** Acts as a payer on PayPal's page. Returns the resulting URL. */
export async function submitPayPalCheckout(
  approveUrl: string | null,
  action: string,
  delivery?: DeliveryMode,
): Promise<URL> {
  const page = new URL(approveUrl ?? '');
  const token = page.searchParams.get('token') ?? '';
  const body = new URLSearchParams({ token, action, ...(delivery && { delivery }) });
  const reply = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body, redirect: 'manual' });
  return new URL(reply.headers.get('location') ?? '', page);
}

export interface PayFastForm {
  readonly action: string;
  readonly fields: readonly (readonly [string, string])[];
}

/** Posts the form like a browser. Returns PayFast's page or its refusal. */
export async function submitPayFastForm(form: PayFastForm | null): Promise<Response> {
  const body = new URLSearchParams((form?.fields ?? []).map(([name, value]): [string, string] => [name, value]));
  return await fetch(form?.action ?? '', { method: 'POST', body, redirect: 'manual' });
}

/** Acts as a payer on PayFast's page. Returns the resulting URL. */
export async function submitPayFastCheckout(
  form: PayFastForm | null,
  action: string,
  delivery?: DeliveryMode,
): Promise<URL> {
  const opened = await submitPayFastForm(form);
  const page = new URL(opened.headers.get('location') ?? '');
  const body = new URLSearchParams({ action, ...(delivery && { delivery }) });
  const reply = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  return new URL(reply.headers.get('location') ?? '', page);
}

export async function gatewayErrorOf(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GatewayError)) throw new Error(`the error did not come from the gateway: ${String(error)}`);
  return error;
}
