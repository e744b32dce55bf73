import type { RpcHandlers } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { KeyServiceDefinition } from '@nolo/proto/keys';
import type { MailCodeServiceDefinition } from '@nolo/proto/mailCodes';
import type { OperatorServiceDefinition } from '@nolo/proto/operators';
import type { ReportServiceDefinition } from '@nolo/proto/reports';
import type { PasskeyServiceDefinition } from '@nolo/proto/passkeys';
import type { SecondFactorServiceDefinition } from '@nolo/proto/secondFactor';
import type { SecurityServiceDefinition } from '@nolo/proto/security';
import type { TokenServiceDefinition } from '@nolo/proto/tokens';
import { authenticateAccessToken, createAccessToken, listAccessTokens, revokeAccessToken } from './accessTokens.ts';
import {
  deleteAccount,
  exportAccount,
  getSelf,
  keepAccount,
  setProfileImage,
  updatePrivacy,
  updateProfile,
} from './account.ts';
import { listBlocked, setBlocked } from './blocks.ts';
import { findByContactLink, getContactLink } from './contactLinks.ts';
import { addContact, listContacts, removeContact, updateContact } from './contacts.ts';
import type { Dependencies } from './dependencies.ts';
import { beginLink, continueLink, endLink, getLink } from './deviceLinks.ts';
import {
  addDeviceList,
  claimDevice,
  deleteRecoverySeed,
  findKeys,
  findListStates,
  getListState,
  getOwnKeys,
  putRecoverySeed,
  renewBoxKeys,
  replaceIdentity,
} from './keys.ts';
import {
  checkOperator,
  eraseAccount,
  reopenAccount,
  findAccounts,
  liftSuspension,
  listActs,
  recordAct,
  signOutAccount,
  suspendAccount,
  verifyActs,
} from './operators.ts';
import { askForAccount, passSecondFactor } from './factorTickets.ts';
import { sendMailCode, verifyMailCode } from './mailCodes.ts';
import { addPasskey, beginPasskey, beginPasskeySignIn, renamePasskey, signInWithPasskey } from './passkeys.ts';
import { getUsers, reportConnection, searchUsers } from './people.ts';
import { updatePreferences } from './preferences.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  proveBySecondFactor,
  refuseAccountWait,
  removeSecondFactor,
  renewRecoveryCodes,
  setRegistrationLock,
} from './secondFactor.ts';
import { getProof, listIdentities, listNotices, markNoticesSeen, undoNotice, unlinkIdentity } from './security.ts';
import {
  authenticateSession,
  endOtherSessions,
  endSession,
  filterLiveSessions,
  listSessions,
  summarizeSessions,
} from './sessions.ts';
import { changeReport, createReport, listReports, getReportPicture } from './reports.ts';
import { setUsername } from './usernames.ts';
import { sendCode, signInWithProvider, verifyCode } from './signIn.ts';

/** Implements each RPC with one handler; the compiler ensures completeness. */
export function createIdentityHandlers(dependencies: Dependencies): RpcHandlers<typeof IdentityServiceDefinition> {
  return {
    sendCode: sendCode(dependencies),
    verifyCode: verifyCode(dependencies),
    signInWithProvider: signInWithProvider(dependencies),
    authenticateSession: authenticateSession(dependencies),
    filterLiveSessions: filterLiveSessions(dependencies),
    summarizeSessions: summarizeSessions(dependencies),
    endSession: endSession(dependencies),
    endOtherSessions: endOtherSessions(dependencies),
    listSessions: listSessions(dependencies),
    getSelf: getSelf(dependencies),
    updateProfile: updateProfile(dependencies),
    updatePreferences: updatePreferences(dependencies),
    getContactLink: getContactLink(dependencies),
    findByContactLink: findByContactLink(dependencies),
    setUsername: setUsername(dependencies),
    setProfileImage: setProfileImage(dependencies),
    updatePrivacy: updatePrivacy(dependencies),
    exportAccount: exportAccount(dependencies),
    deleteAccount: deleteAccount(dependencies),
    keepAccount: keepAccount(dependencies),
    getUsers: getUsers(dependencies),
    searchUsers: searchUsers(dependencies),
    listContacts: listContacts(dependencies),
    addContact: addContact(dependencies),
    updateContact: updateContact(dependencies),
    removeContact: removeContact(dependencies),
    setBlocked: setBlocked(dependencies),
    listBlocked: listBlocked(dependencies),
    reportConnection: reportConnection(dependencies),
  };
}

export function createSecurityHandlers(dependencies: Dependencies): RpcHandlers<typeof SecurityServiceDefinition> {
  return {
    getProof: getProof(dependencies),
    listIdentities: listIdentities(dependencies),
    unlinkIdentity: unlinkIdentity(dependencies),
    listNotices: listNotices(dependencies),
    markNoticesSeen: markNoticesSeen(dependencies),
    undoNotice: undoNotice(dependencies),
  };
}

export function createMailCodeHandlers(dependencies: Dependencies): RpcHandlers<typeof MailCodeServiceDefinition> {
  return { sendMailCode: sendMailCode(dependencies), verifyMailCode: verifyMailCode(dependencies) };
}

/** Handlers for devices with keys. */
export function createKeyHandlers(dependencies: Dependencies): RpcHandlers<typeof KeyServiceDefinition> {
  return {
    getListState: getListState(dependencies),
    findListStates: findListStates(dependencies),
    getOwnKeys: getOwnKeys(dependencies),
    findKeys: findKeys(dependencies),
    addDeviceList: addDeviceList(dependencies),
    replaceIdentity: replaceIdentity(dependencies),
    renewBoxKeys: renewBoxKeys(dependencies),
    claimDevice: claimDevice(dependencies),
    putRecoverySeed: putRecoverySeed(dependencies),
    deleteRecoverySeed: deleteRecoverySeed(dependencies),
    beginLink: beginLink(dependencies),
    getLink: getLink(dependencies),
    continueLink: continueLink(dependencies),
    endLink: endLink(dependencies),
  };
}

export function createPasskeyHandlers(dependencies: Dependencies): RpcHandlers<typeof PasskeyServiceDefinition> {
  return {
    beginPasskey: beginPasskey(dependencies),
    addPasskey: addPasskey(dependencies),
    renamePasskey: renamePasskey(dependencies),
    beginPasskeySignIn: beginPasskeySignIn(dependencies),
    signInWithPasskey: signInWithPasskey(dependencies),
  };
}

export function createOperatorHandlers(dependencies: Dependencies): RpcHandlers<typeof OperatorServiceDefinition> {
  return {
    checkOperator: checkOperator(dependencies),
    findAccounts: findAccounts(dependencies),
    suspendAccount: suspendAccount(dependencies),
    liftSuspension: liftSuspension(dependencies),
    signOutAccount: signOutAccount(dependencies),
    eraseAccount: eraseAccount(dependencies),
    reopenAccount: reopenAccount(dependencies),
    listActs: listActs(dependencies),
    recordAct: recordAct(dependencies),
    verifyActs: verifyActs(dependencies),
  };
}

export function createAccessTokenHandlers(dependencies: Dependencies): RpcHandlers<typeof TokenServiceDefinition> {
  return {
    createAccessToken: createAccessToken(dependencies),
    listAccessTokens: listAccessTokens(dependencies),
    revokeAccessToken: revokeAccessToken(dependencies),
    authenticateAccessToken: authenticateAccessToken(dependencies),
  };
}

export function createSecondFactorHandlers(
  dependencies: Dependencies,
): RpcHandlers<typeof SecondFactorServiceDefinition> {
  return {
    getSecondFactor: getSecondFactor(dependencies),
    beginSecondFactor: beginSecondFactor(dependencies),
    confirmSecondFactor: confirmSecondFactor(dependencies),
    removeSecondFactor: removeSecondFactor(dependencies),
    renewRecoveryCodes: renewRecoveryCodes(dependencies),
    setRegistrationLock: setRegistrationLock(dependencies),
    proveBySecondFactor: proveBySecondFactor(dependencies),
    refuseAccountWait: refuseAccountWait(dependencies),
    passSecondFactor: passSecondFactor(dependencies),
    askForAccount: askForAccount(dependencies),
  };
}

/** Handlers for user reports and how operators handle them. */
export function createReportHandlers(dependencies: Dependencies): RpcHandlers<typeof ReportServiceDefinition> {
  return {
    createReport: createReport(dependencies),
    listReports: listReports(dependencies),
    changeReport: changeReport(dependencies),
    getReportPicture: getReportPicture(dependencies),
  };
}
