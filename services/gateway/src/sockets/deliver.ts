import type { Bus } from '@nolo/kit/bus';
import { allGatewaysSubject, gatewaySubjectOf, type DeliveryEnvelope, type ConnectionLeases } from '@nolo/kit/delivery';
import { getCurrentSpan } from '@nolo/kit/tracing';
import { hasContent, openFrame, sealedFrame } from '../domain/messageContent.ts';
import type { GatewayMetrics } from '../http/metrics.ts';
import type { Connection } from './Connection.ts';
import type { ConnectionRegistry } from './connections.ts';
import { frameText, type FramedText } from './framing.ts';
import { endsRoomMembership, type ParticipantTracker } from './participantTracker.ts';
import type { FrameChoice, FrameSender } from './send.ts';

function* receivers(
  { connections, participants }: { connections: ConnectionRegistry; participants: ParticipantTracker },
  { recipients, scope }: DeliveryEnvelope,
  framedFor: FrameChoice,
): Generator<Connection> {
  for (const userId of recipients) {
    for (const connection of connections.of(userId)) {
      if (scope === undefined) yield connection;
      else if (!participants.keep(connection, scope, framedFor(connection)) && connection.joined?.has(scope) === true)
        yield connection;
    }
  }
}

/**
 * Frames a delivery once, and a second time with its content opened if a simple client gets it. Most clients open
 * envelopes themselves.
 */
function createFraming({ type, data }: DeliveryEnvelope['frame']): FrameChoice {
  if (!hasContent(type)) {
    const framed = frameText(type, data);
    return () => framed;
  }
  let sealed: FramedText | undefined;
  let opened: FramedText | undefined;
  return ({ opensEnvelopes }) =>
    opensEnvelopes
      ? (sealed ??= frameText(type, sealedFrame(type, data)))
      : (opened ??= frameText(type, openFrame(type, data)));
}

/**
 * Receives deliveries for this replica and for all replicas and writes them to the recipients' sockets. Parses each
 * once, and frames it once for all clients of a kind.
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
    const framedFor = createFraming(delivery.frame);
    const written = sending.broadcast(receivers(options, delivery, framedFor), framedFor);
    getCurrentSpan()?.set({ 'nolo.frame.type': type, 'nolo.frame.sockets': written });
    if (delivery.scope !== undefined && endsRoomMembership(delivery.frame)) participants.leaveScope(delivery.scope);
  };
  const ends = [bus.subscribe(gatewaySubjectOf(replicaId), handle), bus.subscribe(allGatewaysSubject, handle)];
  return () => {
    for (const end of ends) end();
  };
}
