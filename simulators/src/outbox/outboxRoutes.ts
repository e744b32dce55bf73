import { json, Router } from 'express';
import { z } from 'zod';
import { outboxPage } from '../pages/outboxPage.ts';
import { Outbox, outgoingMessage } from './Outbox.ts';

const query = z.object({
  // A plus sign in a query means a space; people paste numbers as they are.
  to: z
    .string()
    .transform((value) => (/^ \d/.test(value) ? `+${value.slice(1)}` : value.trim()))
    .transform((value) => (value === '' ? undefined : value))
    .optional(),
  limit: z.coerce.number().int().min(1).max(Outbox.capacity).default(100),
});

/**
 * Receives messages that would be sent by SMS or email. Accepts only JSON: other sites' pages cannot send it without a
 * preflight (CORS), which is refused.
 */
export function outboxRoutes(outbox: Outbox): Router {
  const router = Router();

  router.post('/messages', json({ limit: '256kb' }), (request, response) => {
    const parsed = outgoingMessage.safeParse(request.body);
    if (!parsed.success) {
      response.status(400).json({ code: 'invalid_message', message: z.prettifyError(parsed.error) });
      return;
    }
    response.status(201).json(outbox.add(parsed.data));
  });

  router.get('/messages', (request, response) => {
    const parsed = query.safeParse(request.query);
    if (!parsed.success) {
      response.status(400).json({ code: 'invalid_query', message: z.prettifyError(parsed.error) });
      return;
    }
    response.json({ messages: outbox.list(parsed.data) });
  });

  router.get('/', (request, response) => {
    const { to, limit } = query.catch({ to: undefined, limit: 100 }).parse(request.query);
    response.send(outboxPage({ messages: outbox.list({ to, limit }), to }).text);
  });

  return router;
}
