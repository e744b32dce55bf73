import { json, Router, urlencoded, type Request, type Response } from 'express';
import { z } from 'zod';
import type { SimulatedGatewayControls, PaymentSimulation } from './PaymentSimulation.ts';
import { paymentsPage } from './paymentsPage.ts';
import { gatewayNames, preparedAnswer, gatewaySwitches, type GatewayName } from './switches.ts';

const action = z.object({ action: z.string(), value: z.string().optional() });
const shown = 200;

interface Options {
  readonly simulation: PaymentSimulation;
  readonly gateways: Readonly<Record<GatewayName, SimulatedGatewayControls>>;
}

/** Serves the control page of both gateways, for people and for tests. */
export function paymentRoutes({ simulation, gateways }: Options): Router {
  const router = Router();
  router.use(json(), urlencoded({ extended: false }));
  const payments = (gateway?: GatewayName) =>
    gatewayNames
      .filter((name) => gateway === undefined || name === gateway)
      .flatMap((name) => gateways[name].list())
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, shown);

  router.get('/', (_request, response) => {
    response.send(paymentsPage(simulation, payments(), simulation.notifier.list().slice(0, shown)).text);
  });
  router.get('/payments', (request, response) => {
    response.json({ payments: payments(parseGatewayName(request.query['gateway'])) });
  });
  router.get('/notifications', (request, response) => {
    const list = simulation.notifier.list(parseGatewayName(request.query['gateway']));
    const payment = request.query['payment'];
    response.json({
      notifications: list.filter((one) => payment === undefined || one.payment === payment).slice(0, shown),
    });
  });
  router.post('/notifications/:id/send', async (request, response) => {
    if (await simulation.notifier.resend(request.params.id)) return answer(request, response);
    response.status(404).json({ code: 'not_found', message: 'Notification not found.' });
  });

  const set = (request: Request, response: Response): void => {
    const name = z.enum(gatewayNames).safeParse(request.params['gateway']);
    const given = gatewaySwitches.safeParse(request.body ?? {});
    if (!name.success || !given.success) return refuse(response, name.error ?? given.error);
    simulation.set(name.data, given.data);
    answer(request, response);
  };
  router.put('/:gateway/switches', set);
  router.post('/:gateway/switches', set);
  router.put('/:gateway/answers', (request, response) => {
    const name = z.enum(gatewayNames).safeParse(request.params['gateway']);
    const given = z.array(preparedAnswer).safeParse(request.body);
    if (!name.success || !given.success) return refuse(response, name.error ?? given.error);
    simulation.prepare(name.data, given.data);
    answer(request, response);
  });
  router.post('/:gateway/payments/:id', async (request, response) => {
    const name = z.enum(gatewayNames).safeParse(request.params['gateway']);
    const given = action.safeParse(request.body);
    if (!name.success || !given.success) return refuse(response, name.error ?? given.error);
    const wrong = await gateways[name.data].act(request.params.id, given.data.action, given.data.value);
    if (wrong === undefined) return answer(request, response);
    response.status(409).json({ code: 'not_possible', message: wrong });
  });
  return router;
}

const parseGatewayName = (gateway: unknown): GatewayName | undefined => z.enum(gatewayNames).safeParse(gateway).data;

/** Sends people back to the page, and programs an empty answer. */
function answer(request: Request, response: Response): void {
  if (request.is('urlencoded') || request.accepts(['json', 'html']) === 'html') response.redirect(303, '/payments');
  else response.status(204).end();
}

function refuse(response: Response, error: z.ZodError | undefined): void {
  response.status(400).json({ code: 'invalid_switches', message: error === undefined ? '' : z.prettifyError(error) });
}
