import type { Payment } from '@nolo/api';

/** The window that somebody pays in beside this one. */
const besideName = 'nolo-payment';

/** Opens it while the press that asked for it still counts; null where the browser does not let us. */
export function openBeside(): Window | null {
  const beside = window.open('', besideName);
  // What is shown there has no business here.
  if (beside) beside.opener = null;
  return beside;
}

/** Goes to the gateway: to its address, or by posting its form with the fields as they are. */
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
