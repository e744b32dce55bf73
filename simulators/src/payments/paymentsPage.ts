import { html, renderPage, type Html } from '../pages/html.ts';
import { deliveryChoice } from './deliveryChoice.ts';
import type { SimulatedNotification } from './NotificationSender.ts';
import type { PaymentSimulation, PaymentView } from './PaymentSimulation.ts';
import { gatewayConditions, gatewayNames, type GatewayName } from './switches.ts';

const names: Readonly<Record<GatewayName, string>> = { paypal: 'PayPal', payfast: 'PayFast' };
const conditionWords = {
  normal: 'Normal',
  outage: 'Outage',
  slow: 'Slow',
  rate_limited: 'Rate limit errors',
};
const actionWords: Readonly<Record<string, string>> = {
  approve: 'Approve as the payer',
  pay: 'Pay',
  notify: 'Notify again',
  complete: 'Complete the payment',
  deny: 'Deny the payment',
  refund: 'Refund',
  reverse: 'Charge back',
  dispute: 'Dispute',
  resolve_buyer: 'Resolve for the payer',
  resolve_seller: 'Resolve for the merchant',
};

/** Renders the switches of both gateways, their payments and the notifications sent. */
export function paymentsPage(
  simulation: PaymentSimulation,
  payments: readonly PaymentView[],
  notifications: readonly SimulatedNotification[],
): Html {
  const body = html`<main class="wide">
    <p class="badge">Simulator</p>
    <h1>Payments</h1>
    <p>This page controls the PayPal and PayFast simulators. No money moves. Switches apply until you change them.</p>
    ${gatewayNames.map((gateway) => switchesForm(gateway, simulation))}
    <h2>Payments</h2>
    ${
      payments.length === 0
        ? html`<p class="empty">No payments yet.</p>`
        : html`<ol class="messages" aria-label="Payments, newest first">
            ${payments.map(paymentItem)}
          </ol>`
    }
    <h2>Notifications</h2>
    ${
      notifications.length === 0
        ? html`<p class="empty">No notifications yet.</p>`
        : html`<ol class="messages" aria-label="Notifications, newest first">
            ${notifications.map(notificationItem)}
          </ol>`
    }
  </main>`;
  return renderPage({ title: 'Payments', body });
}

function switchesForm(gateway: GatewayName, simulation: PaymentSimulation): Html {
  const set = simulation.switchesOf(gateway);
  const options = gatewayConditions.map(
    (value) =>
      html`<option value="${value}" ${value === set.condition && html`selected`}>${conditionWords[value]}</option>`,
  );
  return html`<form method="post" action="/payments/${gateway}/switches" class="message">
    <h2>${names[gateway]}</h2>
    ${deliveryChoice('Notifications', set.delivery, `${gateway}-delivery`)}
    <div class="field">
      <label for="${gateway}-late">Delay of late notifications in seconds</label>
      <input id="${gateway}-late" name="lateSeconds" type="number" min="0" value="${set.lateSeconds}" />
    </div>
    <div class="field">
      <label for="${gateway}-condition">Responses</label>
      <select id="${gateway}-condition" name="condition">
        ${options}
      </select>
    </div>
    <button type="submit">Apply to ${names[gateway]}</button>
  </form>`;
}

function paymentItem(payment: PaymentView): Html {
  const { gateway, id, order, status, amount, currency, refunded, createdAt, actions } = payment;
  return html`<li class="message">
    <p class="heading">
      <span class="badge">${names[gateway]}</span>
      <strong>${amount} ${currency}</strong>
      <span>${status}</span>
      <time datetime="${createdAt}">${shortTime(createdAt)}</time>
    </p>
    <p class="detail">Order ${order}${refunded !== '0.00' && html`, ${refunded} refunded`}</p>
    ${
      actions.length > 0 &&
      html`<form method="post" action="/payments/${gateway}/payments/${id}">
        <div class="buttons">
          ${
            actions.includes('refund') &&
            html`<input
              name="value"
              type="text"
              inputmode="decimal"
              placeholder="All"
              aria-label="Refund amount"
              size="8"
            />`
          }
          ${actions.map((action) => html`<button type="submit" name="action" value="${action}">${actionWords[action]}</button>`)}
        </div>
      </form>`
    }
  </li>`;
}

function notificationItem({ id, gateway, event, to, delivery, attempts, createdAt }: SimulatedNotification): Html {
  const last = attempts.at(-1);
  const state = last === undefined ? 'not sent' : `${attempts.length} sent, last response ${last.status ?? last.error}`;
  return html`<li class="message">
    <p class="heading">
      <span class="badge">${names[gateway]}</span>
      <strong>${event}</strong>
      <time datetime="${createdAt}">${shortTime(createdAt)}</time>
    </p>
    <p class="detail">To ${to}: ${state}${delivery !== 'normal' && html` (${delivery})`}</p>
    <form method="post" action="/payments/notifications/${id}/send">
      <button type="submit">Send ${last === undefined ? 'now' : 'again'}</button>
    </form>
  </li>`;
}

const shortTime = (iso: string): string => `${iso.replace('T', ' ').slice(0, 19)} UTC`;
