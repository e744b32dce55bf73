import type { Redis } from 'ioredis';
import type { Bus } from './bus.ts';
import type { Clock } from './clock.ts';
import { AppError } from './errors.ts';
import { createLeaseReader } from './leases.ts';
import type { Log } from './log.ts';
import type { OutboxRow } from './outbox.ts';

export { createLeaseReader, createLeases, type LeaseReader, type Leases } from './leases.ts';

/** A frame for sockets, as packages/api names it. */
export interface Frame {
  type: string;
  data: unknown;
}

export interface Delivery {
  /** The users whose sockets get the frame. */
  recipients: readonly string[];
  frame: Frame;
  /** A conversation's id: only sockets that have joined it get the frame (typing and the like). */
  scope?: string;
  /** Of what caused it, if that is not what is under way here. It travels beside the message, not in it. */
  traceparent?: string;
}

/** What a gateway replica finds on `gateway.<replica>.deliver` and `gateway.all.deliver`. */
export interface DeliveryEnvelope extends Delivery {
  /** Whether the frame was counted for its recipients beside their leases, and is missed where it does not come. */
  counted?: boolean;
}

/** Typing and the like is of the moment, and nothing to catch up with. */
const isCounted = (delivery: Delivery) => delivery.scope === undefined;

/** Everybody who is meant, with how many frames for them count. */
function countRecipients(deliveries: readonly Delivery[]): Map<string, number> {
  const users = new Map<string, number>();
  for (const delivery of deliveries) {
    const counts = isCounted(delivery) ? 1 : 0;
    for (const userId of new Set(delivery.recipients)) users.set(userId, (users.get(userId) ?? 0) + counts);
  }
  return users;
}

/** The outbox subject under which a row's payload is a Delivery. */
export const deliverySubject = 'deliver';

/** Every gateway listens here beside its own subject. */
export const everyGateway = 'gateway.all.deliver';

export function gatewaySubject(replicaId: string): string {
  return `gateway.${replicaId}.deliver`;
}

export interface DeliveryService {
  /**
   * Hands frames in order to the gateways that hold a recipient's socket, with one question to Redis and one flush.
   *
   * @throws AppError unavailable 'bus_unavailable', or too_large 'message_too_large' where NATS takes no message of that
   *   size: nothing, or not everything, was handed on.
   */
  deliverAll(deliveries: readonly Delivery[]): Promise<void>;
  /** Hands on without waiting for the flush and without ever failing: typing, presence. */
  deliverLoosely(delivery: Delivery): Promise<void>;
}

/**
 * Finds the gateways by their leases and publishes once to each, however many of its users are
 * meant: never a subscription per conversation, never every message to every replica. Only while
 * Redis cannot answer does every replica get everything.
 */
export function createDelivery(options: {
  redis: Redis;
  bus: Bus;
  log: Log;
  /** For tests, in place of the clock of Redis, by which leases run out. */
  clock?: Clock | undefined;
}): DeliveryService {
  const { bus, log } = options;
  const leases = createLeaseReader(options);
  let blind = false;

  const lookUp = async (deliveries: readonly Delivery[]): Promise<Map<string, string[]> | undefined> => {
    const counts = countRecipients(deliveries);
    try {
      const replicas = await leases.replicasOf(counts);
      if (blind) log.info('leases can be read again');
      blind = false;
      return replicas;
    } catch (error) {
      if (!blind) log.warn({ err: error }, 'leases cannot be read; every gateway gets every frame');
      blind = true;
      return undefined;
    }
  };

  const publish = (subject: string, delivery: DeliveryEnvelope) => {
    const { traceparent, ...envelope } = delivery;
    bus.publish(subject, envelope, traceparent);
  };

  const publishAll = async (deliveries: readonly Delivery[]) => {
    const replicas = await lookUp(deliveries);
    for (const delivery of deliveries) {
      if (!replicas) {
        publish(everyGateway, delivery);
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
        publish(gatewaySubject(replica), { ...delivery, ...counted, recipients });
      }
    }
  };

  const deliverAll = async (deliveries: readonly Delivery[]) => {
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
        log.error({ err: error, type: delivery.frame.type }, 'a frame was dropped');
      }),
  };
}

/**
 * What a relay does with a batch of the outbox: rows are frames (subject `deliver`, payload a Delivery) or plain wake-ups
 * on the bus.
 */
export function createDispatch({
  bus,
  delivery,
  resolve = (payloads) => Promise.resolve((payloads as readonly Delivery[]).map((payload) => [payload])),
}: {
  bus: Bus;
  delivery: DeliveryService;
  /** Makes deliveries of each payload under `deliver`, in their order, where rows do not name their recipients. */
  resolve?: (payloads: readonly unknown[]) => Promise<readonly (readonly Delivery[])[]>;
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
        return ofRow.map((one): Delivery => (traceparent === null ? one : { ...one, traceparent }));
      }),
    );
  };
}
