import { deliveryChoice } from '../payments/deliveryChoice.ts';
import { html, renderPage, type Html } from '../pages/html.ts';
import type { PayFastPayment } from './PayFastSimulator.ts';

/** Renders the page where the payer pays, is declined or cancels. */
export function payPage({ form, status }: PayFastPayment): Html {
  const body = html`<main class="card">
    <p class="badge">Simulator</p>
    <h1>PayFast</h1>
    <p>This page stands in for PayFast. No money moves, and you do not enter any details.</p>
    <p class="subject">${form.get('item_name')}</p>
    <p class="amount">R ${form.get('amount')}</p>
    ${status === 'FAILED' && html`<p class="error" role="alert">The card was declined. Try again, or cancel.</p>`}
    <form method="post">
      ${deliveryChoice('Delivery of the notification')}
      <div class="buttons">
        <button class="primary" type="submit" name="action" value="pay">Pay</button>
        <button type="submit" name="action" value="fail">Pay with a card that is declined</button>
        <button type="submit" name="action" value="cancel">Cancel and return</button>
      </div>
    </form>
  </main>`;
  return renderPage({ title: 'PayFast', body });
}
