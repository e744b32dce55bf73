import { isId, type ParticipantId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceDefinition } from '@nolo/proto/rooms';
import { meetingReactions } from '@nolo/rules';
import { parseParticipantId } from '../domain/actor.ts';
import { sendParticipantChange, toRoomFrame } from '../domain/outboundFrames.ts';
import { isCallRoomId } from '../domain/call.ts';
import { isHosting } from '../domain/meeting.ts';
import type { Participant, ParticipantPatch } from '../domain/participant.ts';
import { createMeetingsError, meetingOver, notHost, participantUnknown } from '../errors.ts';
import { isOwnParticipant } from '../live/LiveRooms.ts';
import type { Dependencies } from './dependencies.ts';
import { loadMeetingWithGroupSettings } from './groupRooms.ts';
import { findOwnParticipant } from './lookUp.ts';
import { toParticipantReply } from './replies.ts';

/** @throws screen_share_refused if sharing is limited to hosts. */
export async function requireScreenShareAllowed(
  dependencies: Pick<Dependencies, 'meetings' | 'chat' | 'clock'>,
  { roomId, role, userId }: Participant,
): Promise<void> {
  if (isCallRoomId(roomId) || isHosting({ role, admitted: true, removed: false })) return;
  const meeting = await loadMeetingWithGroupSettings(dependencies, roomId, userId);
  if (meeting?.settings.allowScreenShare === false) {
    throw createMeetingsError(
      'forbidden',
      'screen_share_refused',
      'Only hosts can share their screen in this meeting.',
    );
  }
}

export function leave({ rooms, live }: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.leave> {
  return async (request) => {
    const found = await rooms.find(parseParticipantId(request.participantId));
    if (found && isOwnParticipant(found.participant, request.actorId)) await live.remove(found.participant.id, 'left');
    return {};
  };
}

export function renewParticipants(
  dependencies: Dependencies,
): RpcHandler<typeof RoomServiceDefinition.methods.renewParticipants> {
  const { rooms, endQuietPeriod } = dependencies;
  return async ({ gatewayId, participantIds, lostParticipantIds }) => {
    endQuietPeriod();
    for (const participantId of lostParticipantIds.filter(isId<ParticipantId>)) {
      const found = await rooms.find(participantId);
      // A person who returned through another gateway before this one noticed is not lost.
      if (!found || found.participant.gatewayId !== gatewayId) continue;
      const lost = await rooms.patch(found.participant, { isReconnecting: true });
      if (lost && !found.waiting) await sendParticipantChange(dependencies, lost);
    }
    const requestedIds = participantIds.filter(isId<ParticipantId>);
    const known = await rooms.renew(requestedIds);
    return { unknownParticipantIds: requestedIds.filter((participantId) => !known.has(participantId)) };
  };
}

export function setState(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.setState> {
  const { rooms, media, clock } = dependencies;
  return async (request) => {
    const participant = await findOwnParticipant(dependencies, request);
    if (request.screen === true) await requireScreenShareAllowed(dependencies, participant);
    const patch: ParticipantPatch = {
      ...(request.audio === undefined ? {} : { isMuted: !request.audio }),
      ...(request.video === undefined ? {} : { hasVideo: request.video }),
      ...(request.screen === undefined ? {} : { isSharing: request.screen }),
      ...(request.hand === undefined
        ? {}
        : { handRaisedAt: request.hand ? participant.handRaisedAt || clock.now().getTime() : 0 }),
    };
    if (Object.keys(patch).length === 0) {
      throw createMeetingsError('invalid', 'action_refused', 'Specify what to change.');
    }
    const changed = await rooms.patch(participant, patch);
    if (!changed) throw participantUnknown();
    const { roomId, id: participantId } = participant;
    for (const [source, on] of [
      ['microphone', request.audio],
      ['camera', request.video],
    ] as const) {
      if (on === undefined) continue;
      await media.callIfReachable(participant, (client) =>
        client.setPaused({ roomId, participantId, source, paused: !on }),
      );
    }
    // Unchanged participants are not announced.
    const fields = Object.keys(patch) as (keyof ParticipantPatch)[];
    if (fields.some((field) => changed[field] !== participant[field])) {
      await sendParticipantChange(dependencies, changed);
    }
    return toParticipantReply(changed);
  };
}

const refused = (message: string) => createMeetingsError('forbidden', 'recording_refused', message);

/**
 * Starts or stops recording. A host's browser makes the recording; this stores who does, so everyone can be notified.
 */
export function setRecording(
  dependencies: Dependencies,
): RpcHandler<typeof RoomServiceDefinition.methods.setRecording> {
  const { meetings, rooms, live, clock } = dependencies;
  return async (request) => {
    const { id: participantId, roomId, userId } = await findOwnParticipant(dependencies, request);
    if (isCallRoomId(roomId)) throw refused('Calls cannot be recorded.');
    if (!request.enabled) {
      // A person who lost the right to record may still report that they stopped.
      await live.endRecording(roomId, participantId);
      return {};
    }
    const meeting = await loadMeetingWithGroupSettings(dependencies, roomId, userId);
    if (!meeting || meeting.status !== 'live') throw meetingOver();
    if (!isHosting(await meetings.findMembership(roomId, userId))) throw notHost();
    if (!meeting.settings.allowRecording) throw refused('Recording is not allowed in this meeting.');
    const { recorderId } = meeting;
    if (recorderId === participantId) return {};
    const gone = recorderId !== null && !(await rooms.find(recorderId)) ? recorderId : null;
    const changed = await meetings.claimRecording(roomId, participantId, gone, clock.now());
    if (!changed) throw refused('Someone else is recording this meeting.');
    // If they left meanwhile, nothing else would end the recording.
    if (await rooms.find(participantId)) await live.broadcastMeetingChanged(changed);
    else await live.endRecording(roomId, participantId);
    return {};
  };
}

export function react(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.react> {
  const { rooms, limiter, sendFrame } = dependencies;
  return async (request) => {
    const { id: participantId, roomId, roomCode } = await findOwnParticipant(dependencies, request);
    const reaction = meetingReactions.find((one) => one === request.reaction);
    if (!reaction) throw createMeetingsError('invalid', 'action_refused', 'Unknown reaction.');
    await limiter.consume('reactionsPerParticipant', participantId);
    sendFrame(
      toRoomFrame(await rooms.inside(roomId), roomId, 'meeting_reaction', { roomCode, participantId, reaction }),
    );
    return {};
  };
}
