import { z } from 'zod';
import { nodeIdSchema } from '../domain/messages.ts';
import type { NeighbourNodes } from '../media/NeighbourNodes.ts';
import type { OwnNode } from '../media/NodeLink.ts';

const heartbeat = z.object({
  nodeId: nodeIdSchema,
  rpcAddress: z.string().min(1),
  draining: z.boolean(),
  paceMs: z.number(),
});

/** Handles heartbeats of other nodes. */
export function onHeartbeat({
  neighbours,
  self,
}: {
  neighbours: NeighbourNodes;
  self: OwnNode;
}): (data: unknown) => void {
  return (data) => {
    const read = heartbeat.safeParse(data);
    if (read.success && read.data.nodeId !== self.nodeId) neighbours.receiveHeartbeat(read.data);
  };
}
