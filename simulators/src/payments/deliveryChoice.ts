import { html, type Html } from '../pages/html.ts';
import type { DeliveryMode } from './switches.ts';

const words: Readonly<Record<DeliveryMode, string>> = {
  normal: 'Immediately',
  late: 'Late',
  twice: 'Twice',
  never: 'Never',
  wrong_signature: 'With a wrong signature',
  wrong_amount: 'With a wrong amount',
  wrong_merchant: 'With another merchant',
  out_of_order: 'Out of order',
};

/** Renders the delivery choice of one payment or, with `chosen`, of a whole gateway. */
export function deliveryChoice(label: string, chosen?: DeliveryMode, id = 'delivery'): Html {
  const options = Object.entries(words).map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`,
  );
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="delivery">
      ${chosen === undefined && html`<option value="">As set by the switches</option>`} ${options}
    </select>
  </div>`;
}
