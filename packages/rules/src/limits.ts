import { groupLimits } from './groupLimits.ts';

/** Sizes and counts that the server enforces and clients display; `GET /api/config` returns them as `limits`. */
export const limits = {
  /** Bytes of UTF-8 in a message's content (decision 13), and in the envelope with what only clients read. */
  messageContentBytes: 65_536,
  messageEnvelopeBytes: 262_144,
  /** Accounts that one message may mention. */
  mentionsPerMessage: 50,
  /** Messages that a sender who is no contact of the receiver may send before the receiver accepts (decision 39). */
  messagesPerRequest: 5,
  /** Hours in which an author may edit or erase a message for everyone (decision 15). */
  editWindowHours: 24,
  /** Messages per page of history. */
  messagesPerPage: 100,
  /** Changes per page of a catch-up. */
  changesPerPage: 500,
  conversationsPerPage: 100,
  contactsPerPage: 200,
  contactsPerUser: 5_000,
  /** Bytes of a profile picture before it is re-encoded (spec section 5). */
  profileImageBytes: 5_242_880,
  /** Bytes of one file (5 GiB), and of one uploaded in a single piece; larger ones need parts (spec section 9). */
  fileBytes: 5_368_709_120,
  singleUploadBytes: 104_857_600,
  /** Bytes per part of a multipart upload (spec section 9); the last part may be smaller. */
  uploadPartBytesMin: 5_242_880,
  uploadPartBytesMax: 104_857_600,
  uploadPartsMax: 10_000,
  /** Parts and files that a client uploads concurrently, and milliseconds between progress reports. */
  uploadConcurrency: 6,
  uploadProgressMs: 500,
  /** Open uploads per account. */
  openUploadsPerUser: 50,
  /** Bytes and pixels of a picture that is cleaned and gets thumbnails. */
  imageBytes: 67_108_864,
  imagePixels: 50_000_000,
  /** Bytes fetched from a link. */
  importBytes: 1_073_741_824,
  fileNameBytes: 255,
  /** Bytes of UTF-8 in a client's media details: dimensions, waveform, blurred miniature. */
  mediaInfoBytes: 4_096,
  /** Digits of a verification code (spec section 9). */
  verificationCodeDigits: 6,
  verificationCodeValidSeconds: 600,
  verificationTriesPerCode: 5,
  nameLength: 50,
  /** Characters of a username, days for which a released one stays reserved, and reserved usernames per account. */
  usernameLengthMin: 3,
  usernameLengthMax: 30,
  usernameReservedDays: 30,
  usernamesReservedPerUser: 5,
  contactNameLength: 100,
  statusMessageLength: 140,
  lastSeenKeptDays: 90,
  searchQueryLength: 100,
  /** Milliseconds between the last keystroke and the search (spec section 9). */
  searchDebounceMs: 300,
  /** Nesting depth of objects and lists in JSON from a client, and their total number of entries. */
  jsonDepth: 32,
  jsonEntries: 2_000,
  /** Bytes of one client frame over `/ws`. */
  socketFrameBytes: 131_072,
  /** Milliseconds after which a typing indicator expires. */
  typingTimeoutMs: 6_000,
  sessionsPerUser: 100,
  /** Devices with keys per account (docs/encryption.md, section 3). */
  devicesPerAccount: 32,
  /** Bytes of a device list and of box keys without their signatures, and of a recovery seed that a passkey wraps. */
  deviceListBytes: 8_192,
  boxKeysBytes: 2_048,
  recoverySeedBytes: 256,
  /** Device lists per page: of one account, and of each account of a lookup, which has at most so many accounts. */
  deviceListsPerPage: 100,
  deviceListsPerLookup: 5,
  keyLookupAccounts: 50,
  /** Seconds for which a new device can be linked, and bytes of its offer, of the list's head, and of the answer. */
  deviceLinkSeconds: 600,
  linkOfferBytes: 4_096,
  linkHeadBytes: 256,
  linkAnswerBytes: 256,
  /** Bytes of an epoch's header without its signature, of its roster, of one box, and of the sealed secret before. */
  epochHeaderBytes: 65_536,
  epochRosterBytes: 131_072,
  epochBoxBytes: 1_536,
  previousSecretBytes: 64,
  /** Boxes of one epoch: one per device, and the recovery key's. */
  epochBoxes: 1_501,
  epochsPerPage: 50,
  /** Accounts whose list states one service asks another for at once, and lists that it names of each. */
  listStateAccounts: 1_000,
  listStateNames: 4,
  /** Days after which box keys get no secret of a conversation with a timer. */
  boxKeyDays: 14,
  nackBytes: 256,
  /** Bytes of a sealed message, hashes of earlier rows in it, and bytes of a sealed reaction or pin. */
  sealedBytes: 262_400,
  sealedOwnRows: 64,
  sealedAnnotationBytes: 512,
  /** Bytes of a signed deletion, of the signed leave of a group, and of a signed addition to one. */
  deletionBytes: 4_096,
  leaveBytes: 4_096,
  additionBytes: 512,
  /** Bytes of a sealed record of the vault, hashes of earlier rows in it, and rows per page and per vault. */
  vaultRowBytes: 98_304,
  vaultOwnRows: 64,
  vaultRowsPerPage: 200,
  rowsPerVault: 100_000,
  /** Sign-in methods per account. */
  identitiesPerUser: 20,
  passkeyNameLength: 60,
  /** Seconds in which a passkey challenge must be answered. */
  passkeyChallengeSeconds: 300,
  /** Seconds for which a code (from a message or app), a provider sign-in or a passkey is fresh proof (decision 38). */
  proofSeconds: 300,
  /** Same for actions of operators. */
  operatorProofSeconds: 900,
  operatorReasonLength: 500,
  /** Accounts with the same email address that an operator sees at once. */
  operatorAccountsFound: 20,
  operatorActsPerPage: 100,
  /** Limits of reports: characters of the note, number of messages, and characters of each. */
  reportNoteLength: 1_000,
  reportMessages: 10,
  reportTextLength: 4_000,
  reportsPerPage: 100,
  /** Minutes in which repeated reads of the same reports by one operator are a single audit entry. */
  reportLookMinutes: 10,
  /** Days for which a closed report is retained. */
  reportKeptDays: 180,
  /** Seconds to confirm the setup of a second factor, and to enter the factor after a correct text message code. */
  secondFactorBeginSeconds: 900,
  secondFactorTicketSeconds: 600,
  /** Attempts at one-time passwords and recovery codes after one code by text message. */
  secondFactorTriesPerTicket: 5,
  /** Recovery codes created at a time, and the remaining number that counts as low. */
  recoveryCodes: 10,
  recoveryCodesFew: 2,
  /** Days until an account opens without its second factor if nobody refuses, and days for which it stays open. */
  accountWaitDays: 7,
  accountWaitOpenDays: 7,
  /** Days to take an account back by its number or undo changes, and days for which a closed account is retained. */
  takeBackDays: 7,
  accountGraceDays: 7,
  /** Days for which security notices about sign-ins and sign-in methods are shown. */
  securityNoticeDays: 90,
  securityNoticesPerPage: 100,
  /** Active personal access tokens per account, and characters of a token's name. */
  accessTokensPerUser: 20,
  accessTokenNameLength: 60,
  accessTokenDaysMax: 365,
  accessTokensPerPage: 100,
  /** Days for which expired or revoked tokens are retained. */
  accessTokenKeptDays: 30,
  meetingNameLength: 100,
  meetingDescriptionLength: 1_000,
  /** Spec section 9. */
  meetingParticipantsMin: 2,
  meetingParticipantsMax: 100,
  meetingParticipantsDefault: 50,
  meetingMinutesMax: 1_440,
  meetingsPerPage: 100,
  removedPerPage: 100,
  meetingsPerUser: 2_000,
  /** Lobby capacity for guests of one network, once it has received more passes than `guestsPerAddress`. */
  lobbyPlacesOfBusyNetwork: 20,
  /** People waiting in one lobby. */
  lobbySize: 100,
  /** Devices per person in a room (decision 41), and per guest pass in a lobby. */
  devicesPerPerson: 3,
  lobbyDevicesPerGuest: 1,
  /** Minutes before the plan's end of a meeting at which a warning is sent (decision 21). */
  meetingWarningMinutes: 5,
  /** Number of participants from which a plan's time limit counts (decision 21). */
  meetingTimeLimitPeople: 3,
  /** Milliseconds for which a participant without a socket stays. */
  participantLeaseMs: 8_000,
  /** Milliseconds to return as the same participant after the lease has expired: in a meeting, in a call. */
  participantReturnMs: 120_000,
  callReturnMs: 20_000,
  /** Milliseconds for which prepared transports are held for a user on the pre-join page. */
  preparedTransportsMs: 60_000,
  guestNameLength: 50,
  /** Limits of transcription per voice note: bytes and seconds of audio, and seconds of processing. */
  transcriptionAudioBytes: 26_214_400,
  transcriptionAudioSeconds: 600,
  transcriptionWorkSeconds: 60,
  /** Days for which a meeting's chat is retained (decision 23). */
  meetingChatDays: 30,
  /** Milliseconds until an unanswered call counts as missed (decision 19). */
  callRingMs: 45_000,
  callsPerPage: 100,
  /** Bytes of one session description or candidate. */
  callSignalBytes: 65_536,
  /** Videos forwarded to one participant, excluding pins and screens (decision 22). */
  visibleTiles: 12,
  /** Consumers created in advance for a user on the pre-join page: all that one page of participants may send. */
  preparedConsumers: 48,
  ...groupLimits,
  /** Members up to which everyone receives all receipts. In larger groups, authors receive those of their messages. */
  receiptsToAllMembers: 32,
  /** Conversations whose cursors move in one call. */
  cursorsAtOnce: 100,
  /** Days for which a member counts as new in a moderated group (decision 16). */
  newMemberDays: 7,
  /** Messages pending approval, per group and per member. */
  unapprovedPerGroup: 500,
  unapprovedPerMember: 20,
  /** Bytes of UTF-8 in a client's link preview. */
  linkPreviewBytes: 32_768,
  /** Limits for a linked page: characters of the URL and of the texts, bytes of the page and its picture. */
  linkLength: 2_048,
  linkPreviewTitleLength: 200,
  linkPreviewDescriptionLength: 300,
  linkPreviewSiteLength: 60,
  linkPreviewPageBytes: 1_048_576,
  linkPreviewImageBytes: 2_097_152,
  /** Bytes of UTF-8 in a reaction: the longest emoji sequence, with a margin. */
  reactionBytes: 64,
  reactionsPerMessage: 500,
  pinnedPerConversation: 20,
  pinnedConversationsPerUser: 10,
  starsPerUser: 5_000,
  starsPerPage: 100,
  /** Seconds before a disappearing message disappears: up to four weeks. */
  disappearingSecondsMin: 5,
  disappearingSecondsMax: 2_419_200,
  /** Hours for which a status update is available (spec section 9). */
  statusHours: 24,
  /** Characters of its text or caption, counted in graphemes. */
  statusCaptionLength: 500,
  /** Bytes of UTF-8 in a status update, with everything that only clients read. */
  statusContentBytes: 32_768,
  /** Bytes of its picture or video, and seconds of its video. */
  statusMediaBytes: 104_857_600,
  statusVideoSeconds: 60,
  /** Active status updates per account. */
  statusesPerUser: 30,
  /** Authors per page of status updates. */
  statusAuthorsPerPage: 50,
  statusViewersPerPage: 200,
  /** People excluded by "all but", or included by "only". */
  statusAudiencePeople: 1_000,
  /** Muted status authors per account. */
  statusMutesPerUser: 1_000,
} as const;

export type Limits = typeof limits;
