import { routes, type NextPaymentStep, type StartedOrder, type Order } from '@nolo/api';
import type { PaymentGatewayId } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiError, call } from '../api/httpClient.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { refreshPlan } from './billingQueries.ts';
import type { OrderTotal, OrderSelection } from './model/total.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Timeout while the gateway is queried and the user waits. */
const orderTimeoutMs = 30_000;

/** Name of the separate payment window. */
const paymentWindowName = 'nolo-payment';

/** Opens the window while the user's press still allows it; null if the browser blocks it. */
function openPaymentWindow(): Window | null {
  const paymentWindow = window.open('', paymentWindowName);
  // Content of that window must not access this one.
  if (paymentWindow) paymentWindow.opener = null;
  return paymentWindow;
}

/** Leads to the gateway: opens its address, or posts its form with the fields unchanged. */
function startPayment(payment: NextPaymentStep, paymentWindow: Window | null): void {
  if (payment.type === 'redirect') {
    (paymentWindow ?? window).location.assign(payment.url);
    return;
  }
  const form = document.createElement('form');
  form.method = 'post';
  form.action = payment.action;
  form.hidden = true;
  if (paymentWindow) form.target = paymentWindowName;
  for (const { name, value } of payment.fields) {
    const field = document.createElement('input');
    field.type = 'hidden';
    field.name = name;
    field.value = value;
    form.append(field);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

/** @param place `here` to pay in this window, `otherWindow` in another one, so that nothing here is lost. */
export function useOrderPlacement(place: 'here' | 'otherWindow') {
  const { t } = useTexts(billingTexts);
  const showFailureToast = useFailureToast();
  const [named, setNamed] = useState<{ what: string; credit: number } | null>(null);
  // A repeated request for the same purchase reuses the order id.
  const orderId = useRef({ what: '', id: '' });

  /** Places an order and leads to payment. Resolves to the order, if it was placed. */
  const begin = async (wanted: OrderSelection, total: OrderTotal): Promise<Order | undefined> => {
    const { item, seats, currency } = wanted;
    const what = `${nameOf(wanted)} ${total.chargedMinor}`;
    if (orderId.current.what !== what) orderId.current = { what, id: crypto.randomUUID() };
    const paymentWindow = place === 'otherWindow' ? openPaymentWindow() : null;
    try {
      const body = { id: orderId.current.id, item, seats, currency, amountMinor: total.chargedMinor };
      // The route has no other reply.
      const { order, payment } = (await call(routes.createOrder, { body, timeoutMs: orderTimeoutMs })) as StartedOrder;
      if (payment === null) {
        paymentWindow?.close();
        return order;
      }
      toast({ kind: 'success', title: t('billing:pay.redirecting') });
      startPayment(payment, paymentWindow);
      return order;
    } catch (error) {
      paymentWindow?.close();
      // A permanently refused order is not requested with the same id again.
      if (error instanceof ApiError && !error.passing) orderId.current = { what: '', id: '' };
      const credit = error instanceof ApiError && error.code === 'amount_mismatch' && error.details['creditMinor'];
      if (typeof credit === 'number') setNamed({ what: nameOf(wanted), credit });
      showFailureToast(error, total.gateway);
      return undefined;
    }
  };
  /** Returns the server's credit for this purchase, if it differs from the one shown. */
  const corrected = (wanted: OrderSelection) => (named?.what === nameOf(wanted) ? named.credit : undefined);
  return { corrected, begin };
}

const nameOf = ({ item, seats, currency }: OrderSelection): string => JSON.stringify([item, seats, currency]);

/** Shows errors before payment, in the specification's texts (section 8). */
function useFailureToast(): (error: unknown, gateway: PaymentGatewayId) => void {
  const { t, i18n } = useTexts(billingTexts);
  const queryClient = useQueryClient();
  return (error, gateway) => {
    const code = error instanceof ApiError ? error.code : '';
    // Refetches the outdated data.
    if (code === 'amount_mismatch' || code === 'nothing_to_pay') void refreshPlan(queryClient);
    // The code comes from the server, so the key's type is unknown; `exists` checks it.
    const own = `refusals:${code}`;
    const description =
      code === 'currency_unsupported'
        ? t('billing:pay.unsupported')
        : code === 'payment_unavailable'
          ? t(gateway === 'paypal' ? 'billing:pay.payPalFailed' : 'billing:pay.failed')
          : i18n.exists(own)
            ? String(i18n.t(own as 'errors.generic'))
            : t('billing:pay.failed');
    showFailure({ title: t('billing:pay.errorTitle'), description });
  };
}
