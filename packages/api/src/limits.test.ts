import { limits, socialLimits, type Limits, type SocialLimits } from '@nolo/rules';
import type * as z from 'zod/mini';
import { routes } from './routes.ts';

/**
 * Checks every limit on sizes and counts. Limits that a contract enforces are tested up to the maximum here; for the
 * others, the lists below name the place.
 */

type Walk = readonly [schema: z.ZodMiniType, value: (amount: number) => unknown];

/** All limits, as `/api/config` returns them. */
const every = { ...limits, ...socialLimits };
type Name = keyof (Limits & SocialLimits);

const id = '0190a5f4-7d3e-7000-8000-000000000001';
const text = (length: number) => 'x'.repeat(length);
const list = (length: number, item: unknown) => Array(length).fill(item);
const message = { conversationId: id, content: 'x' };
const aReport = { kind: 'person', targetId: id, reportedId: id, category: 'spam' };
const reported = (words: string) => ({ senderId: id, sentAt: '2026-11-26T12:00:00.000Z', text: words });
const bytes = (length: number) => Buffer.alloc(length).toString('base64url');
const statement = (length: number) => ({ body: bytes(length), signature: bytes(64) });
const aSeal = { sealed: bytes(1), own: [] };
const aBox = (length: number) => ({ deviceId: id, box: bytes(length) });
const anEpoch = { header: statement(1), roster: bytes(1), boxes: [] };
const paged = (schema: z.ZodMiniType): Walk => [schema, (limit) => ({ limit: String(limit) })];

const upperLimitWalks: Partial<Record<Name, Walk>> = {
  mentionsPerMessage: [routes.sendMessage.body, (amount) => ({ ...message, mentions: list(amount, id) })],
  mediaInfoBytes: [routes.sendMessage.body, (amount) => ({ ...message, mediaInfo: text(amount) })],
  linkPreviewBytes: [routes.sendMessage.body, (amount) => ({ ...message, linkPreview: text(amount) })],
  messagesPerPage: paged(routes.listMessages.query),
  changesPerPage: [routes.listChanges.query, (limit) => ({ since: '0', limit: String(limit) })],
  conversationsPerPage: paged(routes.listConversations.query),
  contactsPerPage: paged(routes.listContacts.query),
  securityNoticesPerPage: paged(routes.listSecurityNotices.query),
  meetingsPerPage: paged(routes.listMeetings.query),
  callsPerPage: paged(routes.listCalls.query),
  groupsPerPage: paged(routes.listGroupChats.query),
  groupMembersPerPage: paged(routes.listGroupMembers.query),
  groupBansPerPage: paged(routes.listGroupBans.query),
  starsPerPage: paged(routes.listStarred.query),
  uploadPartsMax: [
    routes.completeMultipart.body,
    (amount) => ({ parts: list(amount, { PartNumber: amount, ETag: '"x"' }) }),
  ],
  nameLength: [routes.updateProfile.body, (amount) => ({ firstName: text(amount) })],
  statusMessageLength: [routes.updateProfile.body, (amount) => ({ statusMessage: text(amount) })],
  contactNameLength: [routes.addContact.body, (amount) => ({ phoneNumber: '+27', displayName: text(amount) })],
  searchQueryLength: [routes.searchUsers.query, (amount) => ({ q: text(amount) })],
  meetingNameLength: [routes.createMeeting.body, (amount) => ({ name: text(amount) })],
  meetingDescriptionLength: [routes.createMeeting.body, (amount) => ({ name: 'x', description: text(amount) })],
  meetingParticipantsMax: [routes.createMeeting.body, (maxParticipants) => ({ name: 'x', maxParticipants })],
  meetingMinutesMax: [routes.createMeeting.body, (duration) => ({ name: 'x', duration })],
  guestNameLength: [routes.createGuest.body, (amount) => ({ name: text(amount) })],
  groupNameLength: [routes.createGroupChat.body, (amount) => ({ name: text(amount) })],
  groupDescriptionLength: [routes.createGroupChat.body, (amount) => ({ name: 'x', description: text(amount) })],
  groupMembersMax: [routes.createGroupChat.body, (maxMembers) => ({ name: 'x', maxMembers })],
  additionBytes: [routes.joinGroupChat.body, (amount) => ({ addition: bytes(amount) })],
  groupMembersPerRequest: [routes.addGroupMembers.body, (amount) => ({ userIds: list(amount, id) })],
  linkLength: [routes.createLinkPreview.body, (amount) => ({ url: text(amount) })],
  reactionBytes: [routes.setReaction.body, (amount) => ({ emoji: text(amount) })],
  statusVideoSeconds: [routes.postStatus.body, (duration) => ({ content: 'x', duration })],
  statusAuthorsPerPage: paged(routes.listStatuses.query),
  statusViewersPerPage: paged(routes.listStatusViewers.query),
  statusAudiencePeople: [routes.setStatusAudience.body, (amount) => ({ mode: 'only', userIds: list(amount, id) })],
  socialTextLength: [routes.sharePost.body, (amount) => ({ message: text(amount) })],
  socialMediaPerPost: [routes.sharePost.body, (amount) => ({ media: list(amount, { url: 'x' }) })],
  socialAltTextLength: [routes.sharePost.body, (amount) => ({ media: [{ url: 'x', altText: text(amount) }] })],
  socialAccountsPerPost: [routes.sharePost.body, (amount) => ({ accountIds: list(amount, id) })],
  devicesPerAccount: [
    routes.addDeviceList.body,
    (amount) => ({ list: statement(1), boxKeys: list(amount, statement(1)) }),
  ],
  deviceListBytes: [routes.addDeviceList.body, (amount) => ({ list: statement(amount), boxKeys: [] })],
  boxKeysBytes: [routes.renewBoxKeys.body, (amount) => ({ boxKeys: statement(amount) })],
  recoverySeedBytes: [routes.putRecoverySeed.body, (amount) => ({ wrapped: bytes(amount) })],
  keyLookupAccounts: [routes.lookUpKeys.body, (amount) => ({ accounts: list(amount, { userId: id }) })],
  linkOfferBytes: [routes.beginDeviceLink.body, (amount) => ({ offer: bytes(amount) })],
  linkHeadBytes: [routes.challengeDeviceLink.body, (amount) => ({ random: bytes(32), head: bytes(amount) })],
  linkAnswerBytes: [routes.answerDeviceLink.body, (amount) => ({ answer: bytes(amount) })],
  epochHeaderBytes: [routes.commitEpoch.body, (amount) => ({ ...anEpoch, header: statement(amount) })],
  epochRosterBytes: [routes.commitEpoch.body, (amount) => ({ ...anEpoch, roster: bytes(amount) })],
  epochBoxBytes: [routes.commitEpoch.body, (amount) => ({ ...anEpoch, boxes: [aBox(amount)] })],
  epochBoxes: [routes.commitEpoch.body, (amount) => ({ ...anEpoch, boxes: list(amount, aBox(1)) })],
  previousSecretBytes: [routes.commitEpoch.body, (amount) => ({ ...anEpoch, previousSecret: bytes(amount) })],
  nackBytes: [routes.sendNack.body, statement],
  leaveBytes: [routes.leaveGroupChat.body, (amount) => ({ leave: bytes(amount) })],
  vaultRowBytes: [routes.addVaultRow.body, (amount) => ({ clientMessageId: id, own: [], sealed: bytes(amount) })],
  vaultOwnRows: [
    routes.addVaultRow.body,
    (amount) => ({ clientMessageId: id, own: list(amount, bytes(32)), sealed: bytes(1) }),
  ],
  sealedBytes: [routes.sendMessage.body, (amount) => ({ ...message, sealed: { ...aSeal, sealed: bytes(amount) } })],
  sealedOwnRows: [
    routes.sendMessage.body,
    (amount) => ({ ...message, sealed: { ...aSeal, own: list(amount, bytes(32)) } }),
  ],
  deletionBytes: [routes.deleteMessage.body, (amount) => ({ deletion: statement(amount) })],
  passkeyNameLength: [routes.renamePasskey.body, (amount) => ({ name: text(amount) })],
  accessTokensPerPage: paged(routes.listAccessTokens.query),
  operatorActsPerPage: paged(routes.listOperatorActs.query),
  reportsPerPage: paged(routes.listReports.query),
  reportNoteLength: [routes.createReport.body, (amount) => ({ ...aReport, note: text(amount) })],
  reportMessages: [routes.createReport.body, (amount) => ({ ...aReport, messages: list(amount, reported('x')) })],
  reportTextLength: [routes.createReport.body, (amount) => ({ ...aReport, messages: [reported(text(amount))] })],
  operatorReasonLength: [routes.suspendAccount.body, (amount) => ({ reason: text(amount) })],
  accessTokenNameLength: [
    routes.createAccessToken.body,
    (amount) => ({ name: text(amount), scopes: ['profile:read'], expiresInDays: 1 }),
  ],
  accessTokenDaysMax: [
    routes.createAccessToken.body,
    (expiresInDays) => ({ name: 'x', scopes: ['profile:read'], expiresInDays }),
  ],
  socialPostsPerPage: paged(routes.listSocialPosts.query),
  disappearingSecondsMax: [routes.updateConversation.body, (disappearingSeconds) => ({ disappearingSeconds })],
};

const least: Partial<Record<Name, Walk>> = {
  meetingParticipantsMin: [routes.createMeeting.body, (maxParticipants) => ({ name: 'x', maxParticipants })],
  groupMembersMin: [routes.createGroupChat.body, (maxMembers) => ({ name: 'x', maxMembers })],
  disappearingSecondsMin: [routes.updateConversation.body, (disappearingSeconds) => ({ disappearingSeconds })],
};

test.each(Object.entries(upperLimitWalks))('%s is the maximum that the contract accepts', (name, [schema, value]) => {
  const amount = every[name as Name];
  expect(schema.safeParse(value(amount)).success).toBe(true);
  expect(schema.safeParse(value(amount + 1)).success).toBe(false);
});

test.each(Object.entries(least))('%s is the minimum that the contract accepts', (name, [schema, value]) => {
  const amount = every[name as Name];
  expect(schema.safeParse(value(amount)).success).toBe(true);
  expect(schema.safeParse(value(amount - 1)).success).toBe(false);
});

/** Limits that no contract can express: services count or measure them. */
const inServices: readonly Name[] = [
  'messageContentBytes',
  'messageEnvelopeBytes',
  'messagesPerRequest',
  'editWindowHours',
  'contactsPerUser',
  'profileImageBytes',
  'fileBytes',
  'singleUploadBytes',
  'uploadPartBytesMin',
  'uploadPartBytesMax',
  'openUploadsPerUser',
  'imageBytes',
  'imagePixels',
  'importBytes',
  'fileNameBytes',
  'verificationCodeDigits',
  'verificationCodeValidSeconds',
  'verificationTriesPerCode',
  'usernameLengthMin',
  'usernameLengthMax',
  'usernameReservedDays',
  'usernamesReservedPerUser',
  'jsonDepth',
  'jsonEntries',
  'socketFrameBytes',
  'typingTimeoutMs',
  'sessionsPerUser',
  'identitiesPerUser',
  'proofSeconds',
  'operatorProofSeconds',
  'operatorAccountsFound',
  'reportKeptDays',
  'reportLookMinutes',
  'passkeyChallengeSeconds',
  'deviceListsPerPage',
  'deviceListsPerLookup',
  'deviceLinkSeconds',
  'epochsPerPage',
  'sealedAnnotationBytes',
  'vaultRowsPerPage',
  'rowsPerVault',
  'secondFactorBeginSeconds',
  'secondFactorTicketSeconds',
  'secondFactorTriesPerTicket',
  'recoveryCodes',
  'recoveryCodesFew',
  'accountWaitDays',
  'accountWaitOpenDays',
  'takeBackDays',
  'accountGraceDays',
  'securityNoticeDays',
  'accessTokensPerUser',
  'accessTokenKeptDays',
  'devicesPerPerson',
  'preparedTransportsMs',
  'preparedConsumers',
  'lobbyDevicesPerGuest',
  'meetingsPerUser',
  'lobbySize',
  'lobbyPlacesOfBusyNetwork',
  'meetingTimeLimitPeople',
  'participantLeaseMs',
  'participantReturnMs',
  'callReturnMs',
  'transcriptionAudioBytes',
  'transcriptionAudioSeconds',
  'transcriptionWorkSeconds',
  'meetingChatDays',
  'callRingMs',
  'callSignalBytes',
  'visibleTiles',
  'groupsPerUser',
  'receiptsToAllMembers',
  'cursorsAtOnce',
  'removedPerPage',
  'groupRequests',
  'listStateAccounts',
  'listStateNames',
  'boxKeyDays',
  'lastSeenKeptDays',
  'groupCallRingMembers',
  'groupCallShownHours',
  'ownJoinRequests',
  'groupInvitations',
  'groupInvitationsPerUser',
  'groupInvitationDays',
  'newMemberDays',
  'unapprovedPerGroup',
  'unapprovedPerMember',
  'linkPreviewTitleLength',
  'linkPreviewDescriptionLength',
  'linkPreviewSiteLength',
  'linkPreviewPageBytes',
  'linkPreviewImageBytes',
  'reactionsPerMessage',
  'pinnedPerConversation',
  'pinnedConversationsPerUser',
  'starsPerUser',
  'statusHours',
  'statusCaptionLength',
  'statusContentBytes',
  'statusMediaBytes',
  'statusesPerUser',
  'statusMutesPerUser',
  'socialAccountsPerUser',
  'socialPostsPerUser',
];

/** Limits that refuse nothing: client behavior and defaults. */
const manners: readonly Name[] = [
  'uploadConcurrency',
  'uploadProgressMs',
  'searchDebounceMs',
  'meetingParticipantsDefault',
  'meetingWarningMinutes',
  'groupMembersDefault',
];

test('every limit is covered', () => {
  const named = [...Object.keys(upperLimitWalks), ...Object.keys(least), ...inServices, ...manners];
  expect(named.toSorted()).toEqual(Object.keys(every).toSorted());
});
