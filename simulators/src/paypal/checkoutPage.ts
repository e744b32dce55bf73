import { deliveryChoice } from '../payments/deliveryChoice.ts';
import { html, renderPage, type Html } from '../pages/html.ts';
import type { SimulatedOrder } from './PayPalBook.ts';

/** Renders the page where the payer approves an order or does not. */
export function checkoutPage(order: SimulatedOrder): Html {
  const { amount, description } = order.unit;
  const body = html`<main class="card">
    <p class="badge">Simulator</p>
    <h1>PayPal</h1>
    <p>This page stands in for PayPal. No money moves, and you do not sign in.</p>
    ${description !== undefined && html`<p class="subject">${description}</p>`}
    <p class="amount">${amount.value} ${amount.currency_code}</p>
    <form method="post">
      <input type="hidden" name="token" value="${order.id}" />
      ${deliveryChoice('Delivery of the webhooks')}
      <div class="buttons">
        <button class="primary" type="submit" name="action" value="pay">Pay</button>
        <button type="submit" name="action" value="decline">Pay with a card that is declined</button>
        <button type="submit" name="action" value="pending">Pay with a delayed payment method</button>
        <button type="submit" name="action" value="cancel">Cancel and return</button>
      </div>
    </form>
  </main>`;
  return renderPage({ title: 'PayPal', body });
}
