import type { RpcHandlers } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import type { Dependencies } from './dependencies.ts';
import { addMembers } from './groups/addMembers.ts';
import { banMember } from './groups/banMember.ts';
import { checkAdmin } from './groups/checkAdmin.ts';
import { createGroup } from './groups/createGroup.ts';
import { createGroupInvite } from './groups/createGroupInvite.ts';
import { decideHeldMessage } from './groups/decideHeldMessage.ts';
import { decideJoinRequest } from './groups/decideJoinRequest.ts';
import { expireGroupCode } from './groups/expireGroupCode.ts';
import { handOverGroup } from './groups/handOverGroup.ts';
import { joinGroup } from './groups/joinGroup.ts';
import { leaveGroup } from './groups/leaveGroup.ts';
import { listBans } from './groups/listBans.ts';
import { listHeldMessages } from './groups/listHeldMessages.ts';
import { listJoinRequests } from './groups/listJoinRequests.ts';
import { listMembers } from './groups/listMembers.ts';
import { lookUpGroup } from './groups/lookUpGroup.ts';
import { removeMember } from './groups/removeMember.ts';
import { revokeGroupInvite } from './groups/revokeGroupInvite.ts';
import { rotateGroupCode } from './groups/rotateGroupCode.ts';
import { setGroupPicture } from './groups/setGroupPicture.ts';
import { setRole } from './groups/setRole.ts';
import { unbanMember } from './groups/unbanMember.ts';
import { updateGroup } from './groups/updateGroup.ts';
import { withdrawJoinRequest } from './groups/withdrawJoinRequest.ts';

/** Groups: who is in them, what they are, and who comes in how. */
export function groupHandlers(dependencies: Dependencies): RpcHandlers<typeof GroupServiceService> {
  return {
    createGroup: createGroup(dependencies),
    lookUpGroup: lookUpGroup(dependencies),
    joinGroup: joinGroup(dependencies),
    withdrawJoinRequest: withdrawJoinRequest(dependencies),
    updateGroup: updateGroup(dependencies),
    checkAdmin: checkAdmin(dependencies),
    setGroupPicture: setGroupPicture(dependencies),
    listMembers: listMembers(dependencies),
    addMembers: addMembers(dependencies),
    removeMember: removeMember(dependencies),
    setRole: setRole(dependencies),
    leaveGroup: leaveGroup(dependencies),
    handOverGroup: handOverGroup(dependencies),
    banMember: banMember(dependencies),
    unbanMember: unbanMember(dependencies),
    listBans: listBans(dependencies),
    listJoinRequests: listJoinRequests(dependencies),
    decideJoinRequest: decideJoinRequest(dependencies),
    rotateGroupCode: rotateGroupCode(dependencies),
    expireGroupCode: expireGroupCode(dependencies),
    createGroupInvite: createGroupInvite(dependencies),
    revokeGroupInvite: revokeGroupInvite(dependencies),
    listHeldMessages: listHeldMessages(dependencies),
    decideHeldMessage: decideHeldMessage(dependencies),
  };
}
