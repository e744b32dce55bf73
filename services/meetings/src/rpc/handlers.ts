import type { RpcHandlers } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { authenticateGuest } from './authenticateGuest.ts';
import { cancelMeeting } from './cancelMeeting.ts';
import { checkAccess } from './checkAccess.ts';
import { closeProducer } from './closeProducer.ts';
import { connectTransport } from './connectTransport.ts';
import { createGuest } from './createGuest.ts';
import { createInvite } from './createInvite.ts';
import { createMeeting } from './createMeeting.ts';
import type { Dependencies } from './dependencies.ts';
import { endMeeting } from './endMeeting.ts';
import { enter } from './enter.ts';
import { expireRoomCode } from './expireRoomCode.ts';
import { getMediaCapabilities } from './getMediaCapabilities.ts';
import { getMeeting } from './getMeeting.ts';
import { getQuality } from './getQuality.ts';
import { joinMedia } from './joinMedia.ts';
import { leave } from './leave.ts';
import { listLobby } from './listLobby.ts';
import { listMeetings } from './listMeetings.ts';
import { listRemoved } from './listRemoved.ts';
import { openGroupRoom } from './openGroupRoom.ts';
import { moderate } from './moderate.ts';
import { produce } from './produce.ts';
import { react } from './react.ts';
import { renewParticipants } from './renewParticipants.ts';
import { restartIce } from './restartIce.ts';
import { resumeConsumers } from './resumeConsumers.ts';
import { revokeInvite } from './revokeInvite.ts';
import { rotateRoomCode } from './rotateRoomCode.ts';
import { setRecording } from './setRecording.ts';
import { setState } from './setState.ts';
import { setView } from './setView.ts';
import { updateMeeting } from './updateMeeting.ts';

export function meetingHandlers(dependencies: Dependencies): RpcHandlers<typeof MeetingServiceService> {
  return {
    authenticateGuest: authenticateGuest(dependencies),
    cancelMeeting: cancelMeeting(dependencies),
    checkAccess: checkAccess(dependencies),
    createGuest: createGuest(dependencies),
    createInvite: createInvite(dependencies),
    createMeeting: createMeeting(dependencies),
    endMeeting: endMeeting(dependencies),
    expireRoomCode: expireRoomCode(dependencies),
    getMediaCapabilities: getMediaCapabilities(dependencies),
    getMeeting: getMeeting(dependencies),
    listMeetings: listMeetings(dependencies),
    openGroupRoom: openGroupRoom(dependencies),
    revokeInvite: revokeInvite(dependencies),
    rotateRoomCode: rotateRoomCode(dependencies),
    updateMeeting: updateMeeting(dependencies),
  };
}

export function roomHandlers(dependencies: Dependencies): RpcHandlers<typeof RoomServiceService> {
  return {
    closeProducer: closeProducer(dependencies),
    connectTransport: connectTransport(dependencies),
    enter: enter(dependencies),
    getQuality: getQuality(dependencies),
    joinMedia: joinMedia(dependencies),
    leave: leave(dependencies),
    listLobby: listLobby(dependencies),
    listRemoved: listRemoved(dependencies),
    moderate: moderate(dependencies),
    produce: produce(dependencies),
    react: react(dependencies),
    renewParticipants: renewParticipants(dependencies),
    restartIce: restartIce(dependencies),
    resumeConsumers: resumeConsumers(dependencies),
    setRecording: setRecording(dependencies),
    setState: setState(dependencies),
    setView: setView(dependencies),
  };
}
