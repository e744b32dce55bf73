import type { Bus } from '@nolo/kit/bus';
import * as z from 'zod/mini';

/** Subject on which identity notifies every gateway. */
const subject = 'gateway.all.session_ended';

const notice = z.object({
  userId: z.string(),
  sessionIds: z.array(z.string()),
  suspended: z.optional(z.literal(true)),
});

export type SessionsEndedEvent = z.infer<typeof notice>;

/** Listens for ended sessions. Events may be lost while NATS is disconnected. */
export function onSessionsEnded(bus: Bus, handler: (ended: SessionsEndedEvent) => void): () => void {
  return bus.subscribe(subject, (data) => handler(notice.parse(data)));
}
