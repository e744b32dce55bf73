import { randomBytes } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { NotificationSender } from './NotificationSender.ts';
import {
  gatewaySwitches,
  type GatewayName,
  type PreparedAnswer,
  type PaymentStep,
  type GatewaySwitches,
} from './switches.ts';

/** Payment as the control page shows it, at either gateway. */
export interface PaymentView {
  readonly gateway: GatewayName;
  /** Gateway's own id. */
  readonly id: string;
  /** Merchant's id of the payment. */
  readonly order: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly refunded: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** Actions that are possible now. */
  readonly actions: readonly string[];
}

/** Operations of a gateway that the control page uses. */
export interface SimulatedGatewayControls {
  list(): PaymentView[];
  /**
   * @param id the gateway's id or the merchant's.
   * @returns the reason, if the action is not possible.
   */
  act(id: string, action: string, value: string | undefined): Promise<string | undefined>;
}

/** Shares switches and pending notifications between both simulated gateways. */
export class PaymentSimulation {
  readonly notifier: NotificationSender;
  readonly #clock: Clock;
  readonly #switches = new Map<GatewayName, GatewaySwitches>();
  #prepared: (PreparedAnswer & { gateway: GatewayName })[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
    this.notifier = new NotificationSender(clock);
  }

  now(): Date {
    return this.#clock.now();
  }

  switchesOf(gateway: GatewayName): GatewaySwitches {
    return this.#switches.get(gateway) ?? gatewaySwitches.parse({});
  }

  set(gateway: GatewayName, value: GatewaySwitches): void {
    this.#switches.set(gateway, value);
  }

  /** Replaces the gateway's pending prepared answers. */
  prepare(gateway: GatewayName, answers: readonly PreparedAnswer[]): void {
    this.#prepared = this.#prepared.filter((one) => one.gateway !== gateway);
    this.#prepared.push(...answers.map((one) => ({ ...one, gateway })));
  }

  next(gateway: GatewayName, step: PaymentStep): PreparedAnswer | undefined {
    const index = this.#prepared.findIndex((one) => one.gateway === gateway && one.step === step);
    return index === -1 ? undefined : this.#prepared.splice(index, 1)[0];
  }
}

const signs = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Creates an id as PayPal does: digits and capitals. */
export const createPaymentId = (length = 17): string =>
  Array.from(randomBytes(length), (byte) => signs[byte % 34]).join('');

/** Converts decimal amounts to hundredths, so that sums are exact. */
export const toCents = (value: string): number => Math.round(Number(value) * 100);
export const fromCents = (cents: number): string => (cents / 100).toFixed(2);
