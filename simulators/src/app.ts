import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@nolo/kit/clock';
import { systemClock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { publicUrlOf, type SimulatorsConfig } from './config.ts';
import { loadSigningKeys, type SigningKeys } from './oidc/keys.ts';
import { createSimulatedPeople } from './oidc/people.ts';
import { createOidcProvider } from './oidc/provider.ts';
import { signInRoutes } from './oidc/signInRoutes.ts';
import { Outbox } from './outbox/Outbox.ts';
import { outboxRoutes } from './outbox/outboxRoutes.ts';
import { messagePage } from './pages/messagePage.ts';
import { guardHeaders, guardHost } from './guards.ts';
import { PaymentSimulation } from './payments/PaymentSimulation.ts';
import { paymentRoutes } from './payments/paymentRoutes.ts';
import { payfastRoutes } from './payfast/payfastRoutes.ts';
import { PayFastSimulator } from './payfast/PayFastSimulator.ts';
import { paypalRoutes } from './paypal/paypalRoutes.ts';
import { PayPalSimulator } from './paypal/PayPalSimulator.ts';
import { PlatformSimulation } from './platforms/PlatformSimulation.ts';
import { platformRoutes } from './platforms/platformRoutes.ts';
import { TranscriptionSimulation } from './transcription/TranscriptionSimulation.ts';
import { transcriptionControlRoutes, transcriptionRoutes } from './transcription/transcriptionRoutes.ts';
import { twilioRoutes } from './twilio/twilioRoutes.ts';

export interface SimulatorsDependencies {
  config: SimulatorsConfig;
  log: Log;
  clock?: Clock;
}

export interface Simulators {
  /** Returns the port, and the address under which browsers find the pages. */
  start(): Promise<{ port: number; url: string }>;
  /** Stops the server and drops open connections. Idempotent. */
  stop(): Promise<void>;
}

const assets = fileURLToPath(new URL('./assets', import.meta.url));

/** Creates one HTTP server that simulates the outside world. */
export function createSimulators({ config, log, clock = systemClock }: SimulatorsDependencies): Simulators {
  let server: Server | undefined;
  let stopping: Promise<void> | undefined;

  const payments = new PaymentSimulation(clock);

  const buildApp = (port: number, url: string, keys: SigningKeys): Express => {
    const people = createSimulatedPeople();
    const outbox = new Outbox(clock);
    const simulation = new TranscriptionSimulation();
    const provider = createOidcProvider({ config, url, people, keys, log });
    const app = express();
    app.disable('x-powered-by');
    app.use(guardHost(config, url, port, log));
    app.use(guardHeaders(config));
    app.use('/assets', express.static(assets, { index: false, maxAge: '1h' }));
    app.get('/healthz', (_request, response) => void response.json({ ok: true }));
    app.get('/', (_request, response) => response.redirect(303, '/outbox'));
    app.use('/outbox', outboxRoutes(outbox));
    app.use('/2010-04-01', twilioRoutes({ config, outbox, clock }));
    app.use('/v1/audio/transcriptions', transcriptionRoutes({ config, simulation }));
    app.use('/transcription', transcriptionControlRoutes(simulation));
    const platforms = {
      simulation: new PlatformSimulation(clock),
      secret: config.SOCIAL_CLIENT_SECRET.reveal(),
      url: () => url,
    };
    app.use('/platforms', platformRoutes(platforms));
    addPayments(app, { config, simulation: payments, url });
    app.use('/sign-in', signInRoutes({ provider, people }));
    app.use('/oidc', provider.callback());
    app.use((_request, response) => {
      response.status(404).send(messagePage('Page not found', 'The simulators have no page at this address.').text);
    });
    const onError: ErrorRequestHandler = (error: Error & { status?: number }, _request, response, next) => {
      if (response.headersSent) return next(error);
      const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 500;
      if (status === 500) log.error({ err: error }, 'simulator failed');
      response
        .status(status)
        .json({ code: status === 500 ? 'internal_error' : 'invalid_request', message: error.message });
    };
    app.use(onError);
    return app;
  };

  return {
    start: async () => {
      const { host, port: wanted } = config.SIMULATORS_LISTEN;
      const keys = await loadSigningKeys(config.SIMULATORS_DIR);
      const listening = createServer();
      server = listening;
      await new Promise<void>((resolve, reject) => {
        listening.once('error', reject);
        listening.listen(wanted, host, resolve);
      });
      const address = listening.address();
      const port = typeof address === 'object' && address ? address.port : wanted;
      const url = publicUrlOf(config, port);
      // The issuer contains the port, so the app can only be built once the port is known.
      listening.on('request', buildApp(port, url, keys));
      return { port, url };
    },
    stop: () =>
      (stopping ??= new Promise((resolve) => {
        payments.notifier.stop();
        if (!server) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      })),
  };
}

/** Adds both payment gateways and their control page. */
function addPayments(
  app: Express,
  { config, simulation, url }: { config: SimulatorsConfig; simulation: PaymentSimulation; url: string },
): void {
  const paypal = new PayPalSimulator({
    simulation,
    base: `${url}/paypal`,
    webhookId: config.PAYPAL_WEBHOOK_ID,
    webhookUrl: config.PAYPAL_WEBHOOK_URL,
  });
  const merchant = {
    id: config.PAYFAST_MERCHANT_ID,
    key: config.PAYFAST_MERCHANT_KEY.reveal(),
    passphrase: config.PAYFAST_PASSPHRASE.reveal(),
  };
  const payfast = new PayFastSimulator({ simulation, base: `${url}/payfast`, merchant });
  const client = { id: config.PAYPAL_CLIENT_ID, secret: config.PAYPAL_CLIENT_SECRET.reveal() };
  app.use('/payments', paymentRoutes({ simulation, gateways: { paypal, payfast } }));
  app.use('/paypal', paypalRoutes(paypal, client));
  app.use('/payfast', payfastRoutes(payfast));
}
