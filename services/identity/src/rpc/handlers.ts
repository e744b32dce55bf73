import type { RpcHandlers } from '@nolo/kit/rpc';
import type { IdentityServiceService } from '@nolo/proto/identity';
import type { SecurityServiceService } from '@nolo/proto/security';
import { addContact } from './addContact.ts';
import { authenticateSession } from './authenticateSession.ts';
import { deleteAccount } from './deleteAccount.ts';
import type { RpcDeps } from './deps.ts';
import { endOtherSessions } from './endOtherSessions.ts';
import { endSession } from './endSession.ts';
import { exportAccount } from './exportAccount.ts';
import { filterLiveSessions } from './filterLiveSessions.ts';
import { getProof } from './getProof.ts';
import { getSelf } from './getSelf.ts';
import { getUsers } from './getUsers.ts';
import { listBlocked } from './listBlocked.ts';
import { listContacts } from './listContacts.ts';
import { listIdentities } from './listIdentities.ts';
import { listNotices } from './listNotices.ts';
import { listSessions } from './listSessions.ts';
import { markNoticesSeen } from './markNoticesSeen.ts';
import { removeContact } from './removeContact.ts';
import { reportConnection } from './reportConnection.ts';
import { searchUsers } from './searchUsers.ts';
import { sendCode } from './sendCode.ts';
import { setBlocked } from './setBlocked.ts';
import { setProfileImage } from './setProfileImage.ts';
import { signInWithProvider } from './signInWithProvider.ts';
import { undoNotice } from './undoNotice.ts';
import { unlinkIdentity } from './unlinkIdentity.ts';
import { updateContact } from './updateContact.ts';
import { updatePrivacy } from './updatePrivacy.ts';
import { updateProfile } from './updateProfile.ts';
import { verifyCode } from './verifyCode.ts';

/** One handler for each RPC; the compiler misses none. */
export function createHandlers(deps: RpcDeps): RpcHandlers<typeof IdentityServiceService> {
  return {
    sendCode: sendCode(deps),
    verifyCode: verifyCode(deps),
    signInWithProvider: signInWithProvider(deps),
    authenticateSession: authenticateSession(deps),
    filterLiveSessions: filterLiveSessions(deps),
    endSession: endSession(deps),
    endOtherSessions: endOtherSessions(deps),
    listSessions: listSessions(deps),
    getSelf: getSelf(deps),
    updateProfile: updateProfile(deps),
    setProfileImage: setProfileImage(deps),
    updatePrivacy: updatePrivacy(deps),
    exportAccount: exportAccount(deps),
    deleteAccount: deleteAccount(deps),
    getUsers: getUsers(deps),
    searchUsers: searchUsers(deps),
    listContacts: listContacts(deps),
    addContact: addContact(deps),
    updateContact: updateContact(deps),
    removeContact: removeContact(deps),
    setBlocked: setBlocked(deps),
    listBlocked: listBlocked(deps),
    reportConnection: reportConnection(deps),
  };
}

export function createSecurityHandlers(deps: RpcDeps): RpcHandlers<typeof SecurityServiceService> {
  return {
    getProof: getProof(deps),
    listIdentities: listIdentities(deps),
    unlinkIdentity: unlinkIdentity(deps),
    listNotices: listNotices(deps),
    markNoticesSeen: markNoticesSeen(deps),
    undoNotice: undoNotice(deps),
  };
}
