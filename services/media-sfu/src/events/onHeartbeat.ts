import { z } from 'zod';
import { nodeName } from '../domain/messages.ts';
import type { Neighbours } from '../media/Neighbours.ts';
import type { Self } from '../media/NodeLink.ts';

const heartbeat = z.object({
  nodeId: nodeName,
  rpcAddress: z.string().min(1),
  draining: z.boolean(),
  paceMs: z.number(),
});

/** Other nodes say that they live. */
export function onHeartbeat({ neighbours, self }: { neighbours: Neighbours; self: Self }): (data: unknown) => void {
  return (data) => {
    const read = heartbeat.safeParse(data);
    if (read.success && read.data.nodeId !== self.nodeId) neighbours.hear(read.data);
  };
}
