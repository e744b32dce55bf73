import type { RpcHandlers } from '@nolo/kit/rpc';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import { decideJoinRequest, listJoinRequests, listOwnJoinRequests, withdrawJoinRequest } from './admission.ts';
import type { Dependencies } from './dependencies.ts';
import { createGroupInvite, expireGroupCode, revokeGroupInvite, rotateGroupCode } from './groupCodes.ts';
import {
  checkAdmin,
  createGroup,
  handOverGroup,
  joinGroup,
  leaveGroup,
  listGroupAdmins,
  listOwners,
  lookUpGroup,
  setGroupPicture,
  updateGroup,
} from './groups.ts';
import { decideHeldMessage, listHeldMessages, withdrawHeldMessage } from './heldMessages.ts';
import { answerInvitation, listInvitations, listInvited } from './invitations.ts';
import { addMembers, banMember, listBans, listMembers, removeMember, setRole, unbanMember } from './members.ts';

/** Handlers of groups: members, properties, and admission. */
export function createGroupHandlers(dependencies: Dependencies): RpcHandlers<typeof GroupServiceDefinition> {
  return {
    createGroup: createGroup(dependencies),
    lookUpGroup: lookUpGroup(dependencies),
    joinGroup: joinGroup(dependencies),
    withdrawJoinRequest: withdrawJoinRequest(dependencies),
    listOwnJoinRequests: listOwnJoinRequests(dependencies),
    updateGroup: updateGroup(dependencies),
    checkAdmin: checkAdmin(dependencies),
    listGroupAdmins: listGroupAdmins(dependencies),
    listOwners: listOwners(dependencies),
    setGroupPicture: setGroupPicture(dependencies),
    listMembers: listMembers(dependencies),
    addMembers: addMembers(dependencies),
    removeMember: removeMember(dependencies),
    listInvitations: listInvitations(dependencies),
    answerInvitation: answerInvitation(dependencies),
    listInvited: listInvited(dependencies),
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
    withdrawHeldMessage: withdrawHeldMessage(dependencies),
  };
}
