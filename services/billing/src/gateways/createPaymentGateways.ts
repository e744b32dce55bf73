import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { PaymentGatewayId } from '@nolo/rules';
import type { PaymentGateway } from '../domain/gateway.ts';
import type { GatewayConfig } from './config.ts';
import { createGatewayHttpClient } from './http.ts';
import { createPayFast } from './payfast.ts';
import { createPayPal } from './paypal.ts';
import { createPayPalSignatureChecker } from './paypalSignatureChecker.ts';
import { createNotificationSourceAllowlist } from './notificationSourceAllowlist.ts';

export interface GatewayDependencies {
  readonly clock: Clock;
  readonly log: Log;
  /** Timeout of one gateway call. Default: 15 seconds. */
  readonly timeoutMs?: number;
  /** Root certificates in PEM format, instead of Node's. */
  readonly roots?: readonly string[];
}

/** Configured gateways; others are not offered. */
export type ConfiguredGateways = Readonly<Partial<Record<PaymentGatewayId, PaymentGateway>>>;

export function createPaymentGateways(config: GatewayConfig, dependencies: GatewayDependencies): ConfiguredGateways {
  const { clock, log, timeoutMs, roots } = dependencies;
  const paypal = paypalOf(config, {
    clock,
    log,
    roots,
    http: createGatewayHttpClient({ gateway: 'paypal', log, timeoutMs }),
  });
  const payfast = payfastOf(config, { clock, http: createGatewayHttpClient({ gateway: 'payfast', log, timeoutMs }) });
  return { ...(paypal && { paypal }), ...(payfast && { payfast }) };
}

type Shared = Pick<Parameters<typeof createPayPal>[0], 'clock' | 'http'>;

function paypalOf(
  config: GatewayConfig,
  shared: Shared & { log: Log; roots: readonly string[] | undefined },
): PaymentGateway | undefined {
  const { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId } = config;
  if (clientId === undefined || clientSecret === undefined || webhookId === undefined) return undefined;
  const url = config.PAYPAL_URL;
  const verifySignature = createPayPalSignatureChecker({ ...shared, apiUrl: url, hosts: config.PAYPAL_CERT_HOSTS });
  return createPayPal({ ...shared, url, clientId, clientSecret, webhookId, verifySignature });
}

function payfastOf(config: GatewayConfig, shared: Shared): PaymentGateway | undefined {
  const { PAYFAST_MERCHANT_ID: id, PAYFAST_MERCHANT_KEY: key, PAYFAST_PASSPHRASE: passphrase } = config;
  if (id === undefined || key === undefined || passphrase === undefined) return undefined;
  const sandbox = config.PAYFAST_SANDBOX;
  return createPayFast({
    ...shared,
    url: config.PAYFAST_URL ?? (sandbox ? 'https://sandbox.payfast.co.za' : 'https://www.payfast.co.za'),
    apiUrl: config.PAYFAST_API_URL,
    sandbox,
    merchant: { id, key, passphrase },
    sources: createNotificationSourceAllowlist(config.PAYFAST_SOURCES, shared.clock),
  });
}
