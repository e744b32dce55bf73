import { createPaymentId } from '../payments/PaymentSimulation.ts';
import { GatewayRefusal, type GatewayAnswer } from '../payments/gatewayRouter.ts';

interface Detail {
  readonly issue: string;
  readonly description: string;
  readonly field?: string;
}

const information = 'https://developer.paypal.com/docs/api/orders/v2/#error-';

function answer(status: number, name: string, message: string, details?: readonly Detail[]): GatewayAnswer {
  const link = { href: `${information}${details?.[0]?.issue ?? name}`, rel: 'information_link', method: 'GET' };
  return {
    status,
    body: { name, ...(details && { details }), message, debug_id: createPaymentId(13).toLowerCase(), links: [link] },
  };
}

const unprocessableMessage =
  'The requested action could not be performed, semantically incorrect, or failed business validation.';

const unprocessable = (issue: string, description: string): GatewayAnswer =>
  answer(422, 'UNPROCESSABLE_ENTITY', unprocessableMessage, [{ issue, description }]);

const invalid = (field: string, issue: string, description: string): GatewayAnswer =>
  answer(400, 'INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.', [
    { field, issue, description },
  ]);

/** Errors as PayPal's reference has them (developer.paypal.com/api/rest/reference/orders/v2/errors). */
export const paypalErrors = {
  invalid_client: {
    status: 401,
    body: { error: 'invalid_client', error_description: 'Client Authentication failed' },
  },
  invalid_token: {
    status: 401,
    body: { error: 'invalid_token', error_description: 'The token passed in was not found in the system' },
  },
  permission_denied: answer(403, 'NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.', [
    {
      issue: 'PERMISSION_DENIED',
      description: 'You do not have permission to access or perform operations on this resource.',
    },
  ]),
  not_found: answer(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [
    {
      issue: 'INVALID_RESOURCE_ID',
      description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
    },
  ]),
  order_not_approved: unprocessable(
    'ORDER_NOT_APPROVED',
    'Payer has not yet approved the Order for payment. Please redirect the payer to the rel:approve url returned as part of the HATEOAS links within the Create Order call.',
  ),
  order_already_captured: unprocessable(
    'ORDER_ALREADY_CAPTURED',
    'Order already captured.If intent=CAPTURE only one capture per order is allowed.',
  ),
  instrument_declined: unprocessable(
    'INSTRUMENT_DECLINED',
    "The instrument presented  was either declined by the processor or bank, or it can't be used for this payment.",
  ),
  currency_not_supported: unprocessable('CURRENCY_NOT_SUPPORTED', 'Currency code is not currently supported.'),
  capture_fully_refunded: unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.'),
  refund_amount_exceeded: unprocessable(
    'REFUND_AMOUNT_EXCEEDED',
    'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
  ),
  refund_currency_mismatch: unprocessable(
    'REFUND_CAPTURE_CURRENCY_MISMATCH',
    'Refund must be in the same currency as the capture.',
  ),
  rate_limited: answer(429, 'RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.'),
  server_error: answer(500, 'INTERNAL_SERVER_ERROR', 'An internal server error has occurred.'),
  outage: answer(503, 'SERVICE_UNAVAILABLE', 'Service Unavailable.'),
  not_json: { status: 502, body: '<html><body>Bad Gateway</body></html>' },
} as const satisfies Record<string, GatewayAnswer>;

export const createPayPalRefusal = (name: keyof typeof paypalErrors): GatewayRefusal =>
  new GatewayRefusal(paypalErrors[name]);
export const createFieldRefusal = (field: string, issue: string, description: string): GatewayRefusal =>
  new GatewayRefusal(invalid(field, issue, description));
export const createDecimalPrecisionRefusal = (): GatewayRefusal =>
  new GatewayRefusal(
    unprocessable(
      'DECIMAL_PRECISION',
      'If the currency supports decimals, only two decimal place precision is supported.',
    ),
  );
