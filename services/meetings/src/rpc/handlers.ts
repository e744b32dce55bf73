import type { RpcHandlers } from '@nolo/kit/rpc';
import type { MeetingServiceDefinition } from '@nolo/proto/meetings';
import type { RoomServiceDefinition } from '@nolo/proto/rooms';
import { enter, listLobby } from './admissions.ts';
import type { Dependencies } from './dependencies.ts';
import { declineGroupCall, listGroupRings } from './groupRings.ts';
import { getGroupCall, openGroupRoom } from './groupRooms.ts';
import { authenticateGuest, createGuest } from './guests.ts';
import {
  closeProducer,
  connectTransport,
  getPeerStats,
  joinMedia,
  produce,
  restartIce,
  resumeConsumers,
  setView,
} from './media.ts';
import {
  cancelMeeting,
  createMeeting,
  endMeeting,
  getMediaCapabilities,
  getMeeting,
  listMeetings,
  updateMeeting,
} from './meetings.ts';
import { listRemoved, moderate } from './moderation.ts';
import { leave, react, renewParticipants, setRecording, setState } from './participants.ts';
import { reserve } from './reserveTransports.ts';
import { checkAccess, createInvite, expireRoomCode, revokeInvite, rotateRoomCode } from './roomCodes.ts';

export function createMeetingHandlers(dependencies: Dependencies): RpcHandlers<typeof MeetingServiceDefinition> {
  return {
    authenticateGuest: authenticateGuest(dependencies),
    cancelMeeting: cancelMeeting(dependencies),
    checkAccess: checkAccess(dependencies),
    createGuest: createGuest(dependencies),
    createInvite: createInvite(dependencies),
    createMeeting: createMeeting(dependencies),
    declineGroupCall: declineGroupCall(dependencies),
    endMeeting: endMeeting(dependencies),
    expireRoomCode: expireRoomCode(dependencies),
    getGroupCall: getGroupCall(dependencies),
    getMediaCapabilities: getMediaCapabilities(dependencies),
    getMeeting: getMeeting(dependencies),
    listGroupRings: listGroupRings(dependencies),
    listMeetings: listMeetings(dependencies),
    openGroupRoom: openGroupRoom(dependencies),
    revokeInvite: revokeInvite(dependencies),
    rotateRoomCode: rotateRoomCode(dependencies),
    updateMeeting: updateMeeting(dependencies),
  };
}

export function createRoomHandlers(dependencies: Dependencies): RpcHandlers<typeof RoomServiceDefinition> {
  return {
    closeProducer: closeProducer(dependencies),
    connectTransport: connectTransport(dependencies),
    enter: enter(dependencies),
    getPeerStats: getPeerStats(dependencies),
    joinMedia: joinMedia(dependencies),
    leave: leave(dependencies),
    listLobby: listLobby(dependencies),
    listRemoved: listRemoved(dependencies),
    moderate: moderate(dependencies),
    produce: produce(dependencies),
    react: react(dependencies),
    reserve: reserve(dependencies),
    renewParticipants: renewParticipants(dependencies),
    restartIce: restartIce(dependencies),
    resumeConsumers: resumeConsumers(dependencies),
    setRecording: setRecording(dependencies),
    setState: setState(dependencies),
    setView: setView(dependencies),
  };
}
