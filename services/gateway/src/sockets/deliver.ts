import type { Bus } from '@nolo/kit/bus';
import { allGatewaysSubject, gatewaySubjectOf, type DeliveryEnvelope, type ConnectionLeases } from '@nolo/kit/delivery';
import { getCurrentSpan } from '@nolo/kit/tracing';
import { openFrameContent, type StoredContent } from '../domain/messageContent.ts';
import { openStatusFrame, type SealedStatus } from '../domain/statusContent.ts';
import type { GatewayMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import type { ConnectionRegistry } from './connections.ts';
import { frameText, type FramedText } from './framing.ts';
import { endsRoomMembership, type ParticipantTracker } from './participantTracker.ts';
import type { FrameSender } from './send.ts';

function* receivers(
  { connections, participants }: { connections: ConnectionRegistry; participants: ParticipantTracker },
  { recipients, scope }: DeliveryEnvelope,
  framed: FramedText,
): Generator<Connection> {
  for (const userId of recipients) {
    for (const connection of connections.of(userId)) {
      if (scope === undefined) yield connection;
      else if (!participants.keep(connection, scope, framed) && connection.joined?.has(scope) === true)
        yield connection;
    }
  }
}

/** Opens the envelope in frames of messages and status updates. Passes all other frames through. */
function shownData({ type, data }: DeliveryEnvelope['frame']): unknown {
  if (type === 'status_posted') return openStatusFrame(data as SealedStatus);
  return type === 'new_message' || type === 'message_updated' ? openFrameContent(data as StoredContent) : data;
}

/**
 * Receives deliveries for this replica and for all replicas and writes them to the recipients' sockets. Parses and
 * frames each once.
 */
export function subscribeDeliveries(options: {
  bus: Bus;
  replicaId: string;
  leases: ConnectionLeases;
  connections: ConnectionRegistry;
  participants: ParticipantTracker;
  sending: FrameSender;
  metrics: GatewayMetrics;
}): () => void {
  const { bus, replicaId, leases, participants, sending, metrics } = options;
  const handle = (data: unknown) => {
    const delivery = data as DeliveryEnvelope;
    const { type } = delivery.frame;
    metrics.deliveries.inc({ type });
    if (delivery.counted === true) leases.received(delivery.recipients);
    const framed = frameText(type, shownData(delivery.frame));
    const written = sending.broadcast(receivers(options, delivery, framed), framed);
    getCurrentSpan()?.set({ 'nolo.frame.type': type, 'nolo.frame.sockets': written });
    if (delivery.scope !== undefined && endsRoomMembership(delivery.frame)) participants.leaveScope(delivery.scope);
  };
  const ends = [bus.subscribe(gatewaySubjectOf(replicaId), handle), bus.subscribe(allGatewaysSubject, handle)];
  return () => {
    for (const end of ends) end();
  };
}
