import { html, type Html } from '../pages/html.ts';
import type { DeliveryMode } from './switches.ts';

const words: Readonly<Record<DeliveryMode, string>> = {
  normal: 'come at once',
  late: 'come late',
  twice: 'come twice',
  never: 'never come',
  wrong_signature: 'carry a wrong signature',
  wrong_amount: 'carry a wrong amount',
  wrong_merchant: 'name another merchant',
  out_of_order: 'come out of order',
};

/** Renders the delivery choice of one payment or, with `chosen`, of a whole gateway. */
export function deliveryChoice(label: string, chosen?: DeliveryMode, id = 'delivery'): Html {
  const options = Object.entries(words).map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>They ${text}</option>`,
  );
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="delivery">
      ${chosen === undefined && html`<option value="">As the switches say</option>`} ${options}
    </select>
  </div>`;
}
