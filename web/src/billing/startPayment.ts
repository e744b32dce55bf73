import type { NextPaymentStep } from '@nolo/api';

/** Name of the separate payment window. */
const paymentWindowName = 'nolo-payment';

/** Opens the window while the user's press still allows it; null if the browser blocks it. */
export function openPaymentWindow(): Window | null {
  const paymentWindow = window.open('', paymentWindowName);
  // Content of that window must not access this one.
  if (paymentWindow) paymentWindow.opener = null;
  return paymentWindow;
}

/** Leads to the gateway: opens its address, or posts its form with the fields unchanged. */
export function startPayment(payment: NextPaymentStep, paymentWindow: Window | null): void {
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
