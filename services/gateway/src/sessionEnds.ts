import type { Bus } from '@nolo/kit/bus';
import * as z from 'zod/mini';

/** Told by identity to every gateway. */
const subject = 'gateway.all.session_ended';

const notice = z.object({
  userId: z.string(),
  sessionIds: z.array(z.string()),
  suspended: z.optional(z.literal(true)),
});

export type SessionsEnded = z.infer<typeof notice>;

/** Listens for sessions that end, wherever that happens. The word may be lost while NATS is away. */
export function onSessionsEnded(bus: Bus, handler: (ended: SessionsEnded) => void): () => void {
  return bus.subscribe(subject, (data) => handler(notice.parse(data)));
}
