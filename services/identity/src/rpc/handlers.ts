import type { RpcHandlers } from '@nolo/kit/rpc';
import type { IdentityServiceService } from '@nolo/proto/identity';
import type { SecurityServiceService } from '@nolo/proto/security';
import { deleteAccount, exportAccount, getSelf, setProfileImage, updatePrivacy, updateProfile } from './account.ts';
import { listBlocked, setBlocked } from './blocks.ts';
import { addContact, listContacts, removeContact, updateContact } from './contacts.ts';
import type { RpcDeps } from './deps.ts';
import { getUsers, reportConnection, searchUsers } from './people.ts';
import { getProof, listIdentities, listNotices, markNoticesSeen, undoNotice, unlinkIdentity } from './security.ts';
import { authenticateSession, endOtherSessions, endSession, filterLiveSessions, listSessions } from './sessions.ts';
import { sendCode, signInWithProvider, verifyCode } from './signIn.ts';

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
