import type { Response, Router } from 'express';
import { z } from 'zod';
import { answerPage } from '../payments/answerPage.ts';
import { createGatewayRouter, toGatewayText } from '../payments/gatewayRouter.ts';
import { deliveryModes } from '../payments/switches.ts';
import { messagePage } from '../pages/messagePage.ts';
import { payfastApi } from './payfastApi.ts';
import { payfastErrors } from './payfastErrors.ts';
import { payPage } from './payPage.ts';
import type { PayFastMerchant, PayFastSimulator } from './PayFastSimulator.ts';
import { signForm, type Fields } from './payfastSignature.ts';

/** Serves PayFast's form address, its pages, the call that validates notifications, and its API under `/api`. */
export function payfastRoutes(simulator: PayFastSimulator): Router {
  const { simulation } = simulator;
  const { router, on } = createGatewayRouter({ simulation, name: 'payfast', errors: payfastErrors });
  payfastApi(simulator, on);
  on('post', '/eng/query/validate', 'validate', ({ text }) => ({
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: simulator.knows(text) ? 'VALID' : 'INVALID',
  }));
  pageRoutes(simulator, router);
  return router;
}

const pressed = z.object({
  action: z.enum(['pay', 'fail', 'cancel']),
  delivery: z.enum(deliveryModes).optional().catch(undefined),
});

function pageRoutes(simulator: PayFastSimulator, router: Router): void {
  const { simulation, base } = simulator;
  const stop = (response: Response, status: number, title: string, text: string, detail?: string): void =>
    void response.status(status).send(messagePage(title, text, detail).text);

  router.use('/eng/process', (_request, response, next) => {
    if (simulation.switchesOf('payfast').condition !== 'outage') return next();
    stop(response, 503, 'PayFast is down', 'The simulator is set to an outage.');
  });
  router.post('/eng/process', (request, response) => {
    const fields: Fields = [...new URLSearchParams(toGatewayText(request))];
    const wrong = findError(fields, simulator.merchant);
    if (wrong !== undefined) return stop(response, 400, '400 Bad Request', 'PayFast rejected this form.', wrong);
    const payment = simulator.open(new Map(fields));
    response.redirect(302, `${base}/eng/process/payment/${payment.id}`);
  });
  router.get('/eng/process/payment/:id', (request, response) => {
    const payment = simulator.get(request.params.id);
    if (!payment) return stop(response, 404, 'No such payment', 'There is no PayFast payment at this address.');
    if (payment.status === 'COMPLETE')
      return stop(response, 200, 'Already paid', 'This payment has already been made.');
    answerPage(response, payPage(payment), payment.form.get('return_url') ?? '', payment.form.get('cancel_url') ?? '');
  });
  router.post('/eng/process/payment/:id', async (request, response) => {
    const payment = simulator.get(request.params.id);
    const given = pressed.safeParse(Object.fromEntries(new URLSearchParams(toGatewayText(request))));
    if (!payment || !given.success) {
      return stop(response, 404, 'No such payment', 'There is no PayFast payment at this address.');
    }
    const { action, delivery } = given.data;
    payment.delivery = delivery ?? payment.delivery;
    if (action === 'cancel') return void response.redirect(303, payment.form.get('cancel_url') ?? '/payments');
    // A payer who goes back and presses again has already paid.
    if (payment.status !== 'COMPLETE') await simulator.finish(payment, action === 'pay' ? 'COMPLETE' : 'FAILED');
    if (payment.status !== 'COMPLETE') {
      return void response.redirect(303, `${base}/eng/process/payment/${payment.id}`);
    }
    response.redirect(303, payment.form.get('return_url') ?? '/payments');
  });
}

const amount = /^\d{1,8}\.\d{2}$/;

/** Returns the sentence from PayFast's error page if the form is wrong. */
function findError(fields: Fields, merchant: PayFastMerchant): string | undefined {
  const form = new Map(fields);
  const signed = fields.filter(([name]) => name !== 'signature');
  if (form.size !== fields.length) return 'A field appears twice.';
  if (form.get('merchant_id') !== merchant.id) return 'merchant_id: Merchant unknown.';
  if (form.get('merchant_key') !== merchant.key) return 'merchant_key: Merchant authorization failed.';
  if (form.get('signature') !== signForm(signed, merchant.passphrase)) {
    return 'signature: Generated signature does not match submitted signature.';
  }
  if (!amount.test(form.get('amount') ?? '') || Number(form.get('amount')) < 5)
    return 'amount: The amount is below R 5.00 or invalid.';
  if ((form.get('item_name') ?? '') === '') return 'item_name: The item name field is required.';
  if ((form.get('item_name') ?? '').length > 100)
    return 'item_name: The item name may not be longer than 100 characters.';
  for (const name of ['return_url', 'cancel_url', 'notify_url']) {
    const url = form.get(name) ?? '';
    if (url !== '' && !/^https?:/.test(url)) return `${name}: The ${name} format is invalid.`;
  }
  return undefined;
}
