import { parseActorId } from '@nolo/kit/ids';
import { isAppError } from '@nolo/kit/errors';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ReserveReply, RoomServiceDefinition } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import type { Participant } from '../domain/participant.ts';
import { countFreeSlots } from '../domain/roomCapacity.ts';
import type { Dependencies } from './dependencies.ts';
import { createNewcomer, findJoinableRoom, type JoinableRoom } from './joinableRoom.ts';

const nothing: ReserveReply = { media: undefined, goodForMs: 0 };

/**
 * Returns whether a person would find a free slot now. Preparing for them reserves none, so this may be true for
 * several people at once.
 */
async function wouldFit(
  { rooms }: Dependencies,
  { id, capacity }: JoinableRoom,
  participant: Participant,
): Promise<boolean> {
  const inside = await rooms.inside(id);
  const devices = inside.filter(({ userId }) => userId === participant.userId);
  if (devices.some((one) => one.id === participant.id)) return true;
  if (devices.length > 0) return devices.length < limits.devicesPerPerson;
  return countFreeSlots(inside, capacity, participant.role === 'host') > 0;
}

/**
 * Prepares transports for someone on the pre-join page who would be admitted at once. The checks of joining run now and
 * again on joining. If no node has capacity to prepare, joining takes longer but works as well.
 */
export function reserve(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.reserve> {
  const { media, iceServers } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const enterRequest = { ...request, gatewayId: '', muted: true, video: false, name: '', readyConsumerIds: [] };
    const room = await findJoinableRoom(dependencies, enterRequest, actorId);
    if (room.wait) return nothing;
    const { participant } = createNewcomer(dependencies, room, enterRequest, actorId);
    if (!(await wouldFit(dependencies, room, participant))) return nothing;
    try {
      const { goodForMs, ...kept } = await media.reserve(participant, request);
      const iceServersJson = iceServers(actorId) || undefined;
      return { media: { ...kept, connected: true, iceServersJson }, goodForMs };
    } catch (error) {
      if (isAppError(error) && (error.kind === 'unavailable' || error.code === 'media_limit')) return nothing;
      throw error;
    }
  };
}
