import type { Payment } from '@nolo/api';

/** Name of the separate payment window. */
const besideName = 'nolo-payment';

/** Opens the window while the user's press still allows it; null if the browser blocks it. */
export function openBeside(): Window | null {
  const beside = window.open('', besideName);
  // Content of that window must not access this one.
  if (beside) beside.opener = null;
  return beside;
}

/** Leads to the gateway: opens its address, or posts its form with the fields unchanged. */
export function leaveToPay(payment: Payment, beside: Window | null): void {
  if (payment.type === 'redirect') {
    (beside ?? window).location.assign(payment.url);
    return;
  }
  const form = document.createElement('form');
  form.method = 'post';
  form.action = payment.action;
  form.hidden = true;
  if (beside) form.target = besideName;
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
