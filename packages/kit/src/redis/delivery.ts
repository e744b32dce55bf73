import type { Redis } from 'ioredis';
import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createConnectionLeaseReader } from './connectionLeases.ts';
import type { Log } from '../telemetry/log.ts';
import type { OutboxRow } from '../events/outbox.ts';

export {
  createConnectionLeaseReader,
  createConnectionLeases,
  type ConnectionLeaseReader,
  type ConnectionLeases,
} from './connectionLeases.ts';

/** Frame for sockets, with a type from packages/api. */
export interface SocketFrame {
  type: string;
  data: unknown;
}

export interface FrameDelivery {
  /** Users whose sockets receive the frame. */
  recipients: readonly string[];
  frame: SocketFrame;
  /** Conversation id: only sockets that have joined it receive the frame (typing and similar events). */
  scope?: string;
  /** Trace parent of the cause, if it is not the current trace. Travels beside the message, not in it. */
  traceparent?: string;
}

/** Message that a gateway replica receives on `gateway.<replica>.deliver` and `gateway.all.deliver`. */
export interface DeliveryEnvelope extends FrameDelivery {
  /** True if the recipients' leases count the frame, so that its loss is detected. */
  counted?: boolean;
}

/** Scoped frames (typing and similar) are transient, and clients never catch up on them. */
const isCounted = (delivery: FrameDelivery) => delivery.scope === undefined;

/** Returns all recipients, with the number of counted frames for each. */
function countRecipients(deliveries: readonly FrameDelivery[]): Map<string, number> {
  const users = new Map<string, number>();
  for (const delivery of deliveries) {
    const counts = isCounted(delivery) ? 1 : 0;
    for (const userId of new Set(delivery.recipients)) users.set(userId, (users.get(userId) ?? 0) + counts);
  }
  return users;
}

/** Outbox subject of rows whose payload is a FrameDelivery. */
export const deliverySubject = 'deliver';

/** Subject to which every gateway subscribes in addition to its own. */
export const allGatewaysSubject = 'gateway.all.deliver';

export function gatewaySubjectOf(replicaId: string): string {
  return `gateway.${replicaId}.deliver`;
}

export interface DeliveryService {
  /**
   * Delivers frames in order to the gateways that hold a recipient's socket, with one Redis lookup and one flush.
   *
   * @throws AppError unavailable 'bus_unavailable', or too_large 'message_too_large' if NATS accepts no message of that
   * size: some or all of the frames were not delivered.
   */
  deliverAll(deliveries: readonly FrameDelivery[]): Promise<void>;
  /** Delivers without waiting for the flush and without ever failing: typing, presence. */
  deliverLoosely(delivery: FrameDelivery): Promise<void>;
}

/**
 * Creates the delivery service. It finds gateways by their leases and publishes once to each, regardless of the number
 * of recipients there: no subscription per conversation, no broadcast of every message. Only while Redis cannot answer
 * does every replica receive everything.
 */
export function createDeliveryService(options: {
  redis: Redis;
  bus: Bus;
  log: Log;
  /** Replaces the Redis clock, by which leases expire; for tests. */
  clock?: Clock | undefined;
}): DeliveryService {
  const { bus, log } = options;
  const leases = createConnectionLeaseReader(options);
  let blind = false;

  const lookUp = async (deliveries: readonly FrameDelivery[]): Promise<Map<string, string[]> | undefined> => {
    const counts = countRecipients(deliveries);
    try {
      const replicas = await leases.replicasOf(counts);
      if (blind) log.info('leases readable again');
      blind = false;
      return replicas;
    } catch (error) {
      if (!blind) log.warn({ err: error }, 'reading leases failed; sending every frame to every gateway');
      blind = true;
      return undefined;
    }
  };

  const publish = (subject: string, delivery: DeliveryEnvelope) => {
    const { traceparent, ...envelope } = delivery;
    bus.publish(subject, envelope, traceparent);
  };

  const publishAll = async (deliveries: readonly FrameDelivery[]) => {
    const replicas = await lookUp(deliveries);
    for (const delivery of deliveries) {
      if (!replicas) {
        publish(allGatewaysSubject, delivery);
        continue;
      }
      const byReplica = new Map<string, string[]>();
      for (const userId of new Set(delivery.recipients)) {
        for (const replica of replicas.get(userId) ?? []) {
          const users = byReplica.get(replica);
          if (users) users.push(userId);
          else byReplica.set(replica, [userId]);
        }
      }
      const counted = isCounted(delivery) ? { counted: true } : {};
      for (const [replica, recipients] of byReplica) {
        publish(gatewaySubjectOf(replica), { ...delivery, ...counted, recipients });
      }
    }
  };

  const deliverAll = async (deliveries: readonly FrameDelivery[]) => {
    if (deliveries.length === 0) return;
    if (!bus.status().connected) {
      throw new AppError('unavailable', 'bus_unavailable', 'The message bus cannot be reached right now.', {
        retryAfterMs: 1000,
      });
    }
    await publishAll(deliveries);
    await bus.flush();
  };

  return {
    deliverAll,
    deliverLoosely: (delivery) =>
      publishAll([delivery]).catch((error: unknown) => {
        log.error({ err: error, type: delivery.frame.type }, 'frame dropped');
      }),
  };
}

/**
 * Creates a relay's handler for outbox batches: rows are frames (subject `deliver`, payload a FrameDelivery) or plain
 * wake-ups on the bus.
 */
export function createOutboxDispatch({
  bus,
  delivery,
  resolve = (payloads) => Promise.resolve((payloads as readonly FrameDelivery[]).map((payload) => [payload])),
}: {
  bus: Bus;
  delivery: DeliveryService;
  /** Converts each payload under `deliver` to deliveries, in order, if rows do not name their recipients. */
  resolve?: (payloads: readonly unknown[]) => Promise<readonly (readonly FrameDelivery[])[]>;
}): (rows: OutboxRow[]) => Promise<void> {
  return async (rows) => {
    for (const { subject, payload, traceparent } of rows) {
      if (subject !== deliverySubject) bus.publish(subject, payload, traceparent ?? undefined);
    }
    const frames = rows.filter((row) => row.subject === deliverySubject);
    const deliveries = await resolve(frames.map(({ payload }) => payload));
    await delivery.deliverAll(
      deliveries.flatMap((ofRow, index) => {
        const traceparent = frames[index]?.traceparent ?? null;
        return ofRow.map((one): FrameDelivery => (traceparent === null ? one : { ...one, traceparent }));
      }),
    );
  };
}
