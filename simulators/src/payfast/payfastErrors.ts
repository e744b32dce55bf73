import { GatewayRefusal, type GatewayAnswer } from '../payments/gatewayRouter.ts';

const failed = (status: number, message: string): GatewayAnswer => ({
  status,
  body: { code: status, status: 'failed', data: { response: false, message } },
});

/** Errors of PayFast's API, worded as in its documentation (developers.payfast.co.za/api, Errors). */
export const payfastErrors = {
  missing: failed(400, 'Required variables not present in request'),
  version: failed(400, 'API version is not valid'),
  signature_missing: failed(400, 'Signature not present in headers'),
  signature_format: failed(400, 'Value for signature is not in the expected format'),
  merchant: failed(401, 'Merchant not found'),
  signature: failed(401, 'Merchant authorisation failed'),
  not_found: failed(404, 'Service / endpoint not found'),
  payment_unknown: failed(404, 'Payment not found'),
  refund_amount: failed(400, 'The refund amount exceeds the amount available for refund'),
  rate_limited: failed(429, 'Signature rate limit reached, please try again in a few minutes'),
  server_error: failed(500, 'Application Error'),
  outage: failed(503, 'Communication Failure'),
  not_json: { status: 502, body: '<html><body>Bad Gateway</body></html>' },
} as const satisfies Record<string, GatewayAnswer>;

export const createPayFastRefusal = (name: keyof typeof payfastErrors): GatewayRefusal =>
  new GatewayRefusal(payfastErrors[name]);
