import { z } from 'zod';
import type { GatewayAnswer, GatewayCall } from '../payments/gatewayRouter.ts';
import { createDecimalPrecisionRefusal, createPayPalRefusal, createFieldRefusal } from './paypalErrors.ts';
import type { PayPalMoney, SimulatedOrder } from './PayPalBook.ts';

/** Currencies that PayPal takes with two decimals and that Nolo charges in. */
const currencies = ['USD', 'EUR', 'GBP', 'CAD', 'AUD'];

const money = z.object({ currency_code: z.string().length(3), value: z.string().max(32) });
const address = z.url({ protocol: /^https?$/ });
const experience = z.object({ return_url: address, cancel_url: address }).loose();

const orderRequest = z.object({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.object({
        reference_id: z.string().max(256).default('default'),
        custom_id: z.string().max(255).optional(),
        invoice_id: z.string().max(127).optional(),
        description: z.string().max(127).optional(),
        amount: money,
      }),
    )
    .length(1),
  payment_source: z.object({ paypal: z.object({ experience_context: experience }).loose() }).optional(),
  application_context: experience.optional(),
});

const refundRequest = z.object({ amount: money.optional(), note_to_payer: z.string().max(255).optional() }).loose();

/** @throws GatewayRefusal naming the field, as PayPal does. */
function read<Schema extends z.ZodType>(schema: Schema, { json }: GatewayCall): z.output<Schema> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = `/${issue?.path.join('/') ?? ''}`;
  const missing = issue?.code === 'invalid_type' && issue.message.includes('undefined');
  throw missing
    ? createFieldRefusal(field, 'MISSING_REQUIRED_PARAMETER', 'A required field / parameter is missing.')
    : createFieldRefusal(
        field,
        'INVALID_PARAMETER_SYNTAX',
        'The value of a field does not conform to the expected format.',
      );
}

function check({ currency_code, value }: PayPalMoney): void {
  if (!currencies.includes(currency_code)) throw createPayPalRefusal('currency_not_supported');
  if (!/^\d+\.\d{2}$/.test(value) || Number(value) === 0) throw createDecimalPrecisionRefusal();
}

export function readOrder(
  call: GatewayCall,
): Omit<SimulatedOrder, 'id' | 'outcome' | 'delivery' | 'intent' | 'createdAt'> {
  if (call.json['payment_source'] !== undefined && call.request.get('paypal-request-id') === undefined) {
    throw createFieldRefusal('PayPal-Request-Id', 'PAYPAL_REQUEST_ID_REQUIRED', 'A PayPal-Request-Id is required.');
  }
  const parsed = read(orderRequest, call);
  const [unit] = parsed.purchase_units;
  const context = parsed.payment_source?.paypal.experience_context ?? parsed.application_context;
  if (!unit || !context)
    throw createFieldRefusal('/application_context', 'MISSING_REQUIRED_PARAMETER', 'A required field is missing.');
  check(unit.amount);
  const withSource = parsed.payment_source !== undefined;
  return {
    unit,
    withSource,
    status: withSource ? 'PAYER_ACTION_REQUIRED' : 'CREATED',
    returnUrl: context.return_url,
    cancelUrl: context.cancel_url,
  };
}

/** @returns the amount requested; undefined for everything that is left. */
export function readRefund(call: GatewayCall): PayPalMoney | undefined {
  const { amount } = read(refundRequest, call);
  if (amount) check(amount);
  return amount;
}

/** True if the answer should contain the whole object. */
export const wantsFullRepresentation = ({ request }: GatewayCall): boolean =>
  request.get('prefer') === 'return=representation';

/** Stores the answer to each PayPal-Request-Id and repeats it with 200, as PayPal does. Refusals are not stored. */
export function createIdempotencyCache(): (
  call: GatewayCall,
  what: string,
  work: () => GatewayAnswer,
) => GatewayAnswer {
  const kept = new Map<string, GatewayAnswer>();
  return ({ request }, what, work) => {
    const id = request.get('paypal-request-id');
    const key = `${what} ${id ?? ''}`;
    const before = id === undefined ? undefined : kept.get(key);
    if (before) return { ...before, status: 200 };
    const answer = work();
    if (id !== undefined) kept.set(key, answer);
    return answer;
  };
}

/** Returns the raw text of the last field of a JSON object, which parsing would lose. */
export function extractLastField(text: string, name: string): string | undefined {
  const start = text.indexOf(`"${name}":`);
  const end = text.lastIndexOf('}');
  return start === -1 || end < start ? undefined : text.slice(start + name.length + 3, end).trim();
}
