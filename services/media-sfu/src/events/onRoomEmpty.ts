import { z } from 'zod';
import { nodeIdSchema } from '../domain/messages.ts';
import type { OwnNode } from '../media/NodeLink.ts';
import type { Rooms } from '../media/Rooms.ts';

const roomEmpty = z.object({ nodeId: nodeIdSchema, type: z.literal('room_empty'), roomId: z.string().min(1) });

/** Handles rooms that another node closed, so nothing is piped there. */
export function onRoomEmpty({ rooms, self }: { rooms: Rooms; self: OwnNode }): (data: unknown) => void {
  return (data) => {
    const read = roomEmpty.safeParse(data);
    if (read.success && read.data.nodeId !== self.nodeId) {
      rooms.find(read.data.roomId)?.links.dropNode(read.data.nodeId);
    }
  };
}
