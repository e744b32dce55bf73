import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

export function streamName(prefix = ''): string {
  return prefix ? `${prefix}_NOLO_EVENTS` : 'NOLO_EVENTS';
}

const day = 24 * 60 * 60 * 1000;

/** "stream name already in use with a different configuration". */
const exists = 10058;

/**
 * One stream for all durable events. A consumer that was away has 30 days to come back; nothing
 * that NATS 2.9 does not know is used (Debian ships 2.9.10).
 */
export async function ensureEventStream(manager: JetStreamManager, name: string, subject: string): Promise<void> {
  const config = {
    name,
    subjects: [subject],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    max_age: nanos(30 * day),
    // How far back a msgId is remembered: longer than any outage after which the relay sends again.
    duplicate_window: nanos(10 * 60 * 1000),
  };
  try {
    // Adding a stream that already stands like this changes nothing.
    await manager.streams.add(config);
  } catch (error) {
    // An operator may have set replicas or limits of their own; theirs win.
    if (!(error instanceof JetStreamApiError && error.code === exists)) throw error;
  }
}
