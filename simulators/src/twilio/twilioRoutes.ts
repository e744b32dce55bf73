import { randomBytes, timingSafeEqual, createHash } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';
import { Router, urlencoded, type Request, type Response } from 'express';
import { z } from 'zod';
import type { SimulatorsConfig } from '../config.ts';
import type { Outbox } from '../outbox/Outbox.ts';
import { failingRecipients, failingSenders, twilioErrors, type TwilioError } from './twilioErrors.ts';

interface Dependencies {
  config: SimulatorsConfig;
  outbox: Outbox;
  clock: Clock;
}

/** Form fields of https://www.twilio.com/docs/messaging/api/message-resource that the simulator reads. */
const form = z.object({
  To: z.string().default(''),
  From: z.string().default(''),
  MessagingServiceSid: z.string().default(''),
  Body: z.string().default(''),
});

type Form = z.output<typeof form>;

const e164 = /^\+[1-9]\d{6,14}$/;
/** Twilio's limit for one message, in characters. */
const bodyLimit = 1600;

function findError({ To, From, MessagingServiceSid, Body }: Form): TwilioError | undefined {
  if (To === '') return twilioErrors.missingTo;
  if (From === '' && MessagingServiceSid === '') return twilioErrors.missingFrom;
  if (Body === '') return twilioErrors.missingBody;
  if (Body.length > bodyLimit) return twilioErrors.bodyTooLong;
  return failingSenders[From] ?? failingRecipients[To] ?? (e164.test(To) ? undefined : twilioErrors.invalidTo(To));
}

function answerError(response: Response, { status, code, message }: TwilioError): void {
  if (status === 429 || status === 503) response.setHeader('Retry-After', '1');
  response.status(status).json({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status });
}

function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Serves the only call of Twilio's REST API that Nolo makes, faithful enough to test the production adapter by
 * configuration alone. Messages are stored in the outbox.
 */
export function twilioRoutes({ config, outbox, clock }: Dependencies): Router {
  const router = Router();

  const authenticated = (request: Request): boolean => {
    const [scheme = '', credentials = ''] = (request.headers.authorization ?? '').split(' ');
    const expected = `${config.TWILIO_ACCOUNT_SID}:${config.TWILIO_AUTH_TOKEN.reveal()}`;
    return scheme.toLowerCase() === 'basic' && same(Buffer.from(credentials, 'base64').toString(), expected);
  };

  router.post('/Accounts/:sid/Messages.json', urlencoded({ extended: false, limit: '64kb' }), (request, response) => {
    if (!authenticated(request)) return answerError(response, twilioErrors.authenticate);
    if (request.params.sid !== config.TWILIO_ACCOUNT_SID) {
      return answerError(response, twilioErrors.notFound(request.originalUrl));
    }
    const parsed = form.safeParse(request.body ?? {});
    // A field given twice arrives as an array, which is not a number.
    if (!parsed.success) return answerError(response, twilioErrors.invalidTo(''));
    const wrong = findError(parsed.data);
    if (wrong) return answerError(response, wrong);
    const { To, From, MessagingServiceSid, Body } = parsed.data;
    outbox.add({ channel: 'sms', to: To, text: Body });
    const sid = `SM${randomBytes(16).toString('hex')}`;
    const uri = `/2010-04-01/Accounts/${config.TWILIO_ACCOUNT_SID}/Messages/${sid}`;
    const now = clock.now().toUTCString().replace('GMT', '+0000');
    response.status(201).json({
      account_sid: config.TWILIO_ACCOUNT_SID,
      api_version: '2010-04-01',
      body: Body,
      date_created: now,
      date_sent: null,
      date_updated: now,
      direction: 'outbound-api',
      error_code: null,
      error_message: null,
      from: From === '' ? null : From,
      messaging_service_sid: MessagingServiceSid === '' ? null : MessagingServiceSid,
      num_media: '0',
      num_segments: String(Math.ceil(Body.length / 160)),
      price: null,
      price_unit: 'USD',
      sid,
      status: MessagingServiceSid === '' ? 'queued' : 'accepted',
      subresource_uris: { media: `${uri}/Media.json` },
      to: To,
      uri: `${uri}.json`,
    });
  });

  router.use((request, response) => answerError(response, twilioErrors.notFound(request.originalUrl)));
  return router;
}
