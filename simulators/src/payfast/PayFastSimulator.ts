import { randomUUID } from 'node:crypto';
import {
  fromCents,
  toCents,
  type SimulatedGatewayControls,
  type PaymentSimulation,
  type PaymentView,
} from '../payments/PaymentSimulation.ts';
import { toNotificationFlaw, type DeliveryMode } from '../payments/switches.ts';
import { parameterString, signNotification, type Fields } from './payfastSignature.ts';

export interface PayFastMerchant {
  readonly id: string;
  readonly key: string;
  readonly passphrase: string;
}

export interface PayFastPayment {
  /** Id of the payer's page. */
  readonly id: string;
  readonly form: ReadonlyMap<string, string>;
  readonly createdAt: Date;
  status: 'OPEN' | 'COMPLETE' | 'FAILED' | 'CANCELLED';
  /** PayFast's id, set when the payment succeeds or fails. */
  pfPaymentId: string | undefined;
  paidAt: Date | undefined;
  readonly refunds: { readonly cents: number; readonly at: Date }[];
  delivery: DeliveryMode | undefined;
}

const maxKeptPayments = 20_000;
/** Fee: 3.5 % and two rand, but never more than the amount. */
const feeOf = (cents: number) => Math.min(cents, Math.round(cents * 0.035) + 200);

/** Stores payments at the simulated PayFast and sends their notifications (ITN). */
export class PayFastSimulator implements SimulatedGatewayControls {
  readonly simulation: PaymentSimulation;
  readonly base: string;
  readonly merchant: PayFastMerchant;
  readonly #payments = new Map<string, PayFastPayment>();
  readonly #sent = new Set<string>();
  #sequence = 1_500_000;

  constructor({
    simulation,
    base,
    merchant,
  }: {
    simulation: PaymentSimulation;
    base: string;
    merchant: PayFastMerchant;
  }) {
    this.simulation = simulation;
    this.base = base;
    this.merchant = merchant;
  }

  open(form: ReadonlyMap<string, string>): PayFastPayment {
    const payment: PayFastPayment = {
      id: randomUUID(),
      form,
      createdAt: this.simulation.now(),
      status: 'OPEN',
      pfPaymentId: undefined,
      paidAt: undefined,
      refunds: [],
      delivery: undefined,
    };
    this.#payments.set(payment.id, payment);
    const [oldest] = this.#payments.keys();
    if (this.#payments.size > maxKeptPayments && oldest !== undefined) this.#payments.delete(oldest);
    return payment;
  }

  get(id: string): PayFastPayment | undefined {
    return this.#payments.get(id);
  }

  ofPayFastId(id: string): PayFastPayment | undefined {
    return [...this.#payments.values()].find(({ pfPaymentId }) => pfPaymentId === id);
  }

  /** Oldest first. */
  payments(): PayFastPayment[] {
    return [...this.#payments.values()];
  }

  /** Applies the payer's choice. PayFast notifies the merchant before it redirects the payer. */
  async finish(payment: PayFastPayment, status: 'COMPLETE' | 'FAILED'): Promise<void> {
    payment.status = status;
    payment.pfPaymentId = String((this.#sequence += 1));
    if (status === 'COMPLETE') payment.paidAt = this.simulation.now();
    const { delivery } = this.#deliveryOf(payment);
    // Out-of-order delivery needs two notifications: the second to arrive says that the money was not there yet.
    if (delivery === 'out_of_order' && status === 'COMPLETE') await this.#notify(payment, 'PENDING');
    await this.#notify(payment, status);
  }

  /** Records a full or partial refund of the remaining amount. PayFast sends no notification for refunds. */
  refund(payment: PayFastPayment, cents: number): void {
    payment.refunds.push({ cents, at: this.simulation.now() });
  }

  /** Returns true if exactly this text was sent as a notification, as the validation call asks. */
  knows(text: string): boolean {
    return this.#sent.has(text);
  }

  list(): PaymentView[] {
    return this.payments()
      .toReversed()
      .map((payment) => ({
        gateway: 'payfast',
        id: payment.id,
        order: payment.form.get('m_payment_id') ?? '',
        status: payment.status,
        amount: payment.form.get('amount') ?? '',
        currency: 'ZAR',
        refunded: fromCents(refundedCents(payment)),
        createdAt: payment.createdAt.toISOString(),
        actions: actionsOf(payment),
      }));
  }

  async act(id: string, action: string, value: string | undefined): Promise<string | undefined> {
    const payment = this.get(id) ?? this.payments().findLast(({ form }) => form.get('m_payment_id') === id);
    if (!payment) return 'unknown PayFast payment';
    if (!actionsOf(payment).includes(action)) return `${action} is not possible now`;
    if (action === 'pay') await this.finish(payment, 'COMPLETE');
    else if (action === 'refund') {
      const left = leftCents(payment);
      const cents = value === undefined || value === '' ? left : toCents(value);
      if (!(cents > 0 && cents <= left)) return `the amount must be between 0.01 and ${fromCents(left)}`;
      this.refund(payment, cents);
    } else await this.#notify(payment, 'COMPLETE');
    return undefined;
  }

  #deliveryOf(payment: PayFastPayment) {
    const set = this.simulation.switchesOf('payfast');
    return { ...set, delivery: payment.delivery ?? set.delivery };
  }

  async #notify(payment: PayFastPayment, status: string): Promise<void> {
    const to = payment.form.get('notify_url');
    if (to === undefined || to === '') return;
    const how = this.#deliveryOf(payment);
    const flaw = toNotificationFlaw(how.delivery);
    const fields = notificationOf(payment, status, {
      merchantId: flaw === 'wrong_merchant' ? '10099999' : this.merchant.id,
      moreCents: flaw === 'wrong_amount' ? 100 : 0,
    });
    const good = signNotification(fields, this.merchant.passphrase);
    const signature = flaw === 'wrong_signature' ? good.replace(/^./, (sign) => (sign === '0' ? '1' : '0')) : good;
    this.#sent.add(parameterString(fields));
    await this.simulation.notifier.send(
      { gateway: 'payfast', payment: payment.id, event: status },
      {
        to,
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Payfast ITN (simulated)' },
        body: parameterString([...fields, ['signature', signature]]),
      },
      how,
    );
  }
}

const refundedCents = ({ refunds }: PayFastPayment): number => refunds.reduce((sum, { cents }) => sum + cents, 0);

export const leftCents = (payment: PayFastPayment): number =>
  payment.status === 'COMPLETE' ? toCents(payment.form.get('amount') ?? '0') - refundedCents(payment) : 0;

export function amountsOf(payment: PayFastPayment, moreCents = 0) {
  const gross = toCents(payment.form.get('amount') ?? '0') + moreCents;
  return { gross, fee: feeOf(gross), net: gross - feeOf(gross) };
}

function actionsOf(payment: PayFastPayment): string[] {
  if (payment.status !== 'COMPLETE') return ['pay'];
  return [...(leftCents(payment) > 0 ? ['refund'] : []), 'notify'];
}

const numbers = [1, 2, 3, 4, 5];

/** Lists the fields of an ITN in PayFast's order. */
function notificationOf(
  payment: PayFastPayment,
  status: string,
  { merchantId, moreCents }: { merchantId: string; moreCents: number },
): Fields {
  const { form } = payment;
  const given = (name: string) => [name, form.get(name) ?? ''] as const;
  const { gross, fee, net } = amountsOf(payment, moreCents);
  return [
    given('m_payment_id'),
    ['pf_payment_id', payment.pfPaymentId ?? ''],
    ['payment_status', status],
    given('item_name'),
    given('item_description'),
    ['amount_gross', fromCents(gross)],
    ['amount_fee', fromCents(-fee)],
    ['amount_net', fromCents(net)],
    ...numbers.map((number) => given(`custom_str${number}`)),
    ...numbers.map((number) => given(`custom_int${number}`)),
    given('name_first'),
    given('name_last'),
    given('email_address'),
    ['merchant_id', merchantId],
  ];
}
