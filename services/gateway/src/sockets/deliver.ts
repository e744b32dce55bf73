import type { Bus } from '@nolo/kit/bus';
import { everyGateway, gatewaySubject, type DeliveryEnvelope } from '@nolo/kit/delivery';
import type { EdgeMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import type { Connections } from './connections.ts';
import { frameText } from './framing.ts';
import type { Sending } from './send.ts';

function* receivers(connections: Connections, delivery: DeliveryEnvelope): Generator<Connection> {
  const { recipients, scope, exceptSession } = delivery;
  for (const userId of recipients) {
    for (const connection of connections.of(userId)) {
      if (scope !== undefined && connection.joined?.has(scope) !== true) continue;
      if (exceptSession !== undefined && connection.sessionId === exceptSession) continue;
      yield connection;
    }
  }
}

/**
 * Takes deliveries off the bus, those for this replica and those for every one, and writes them to the sockets of their
 * recipients: parsed once, framed once.
 */
export function subscribeDeliveries(options: {
  bus: Bus;
  replicaId: string;
  connections: Connections;
  sending: Sending;
  metrics: EdgeMetrics;
}): () => void {
  const { bus, replicaId, connections, sending, metrics } = options;
  const handle = (data: unknown) => {
    const delivery = data as DeliveryEnvelope;
    const { type } = delivery.frame;
    metrics.deliveries.inc({ type });
    sending.broadcast(receivers(connections, delivery), frameText(type, delivery.frame.data));
  };
  const ends = [bus.subscribe(gatewaySubject(replicaId), handle), bus.subscribe(everyGateway, handle)];
  return () => {
    for (const end of ends) end();
  };
}
