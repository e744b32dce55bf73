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

/** Maximum frequency of an action. `durationSeconds` is the window in which `points` are counted. */
export interface RateLimit {
  readonly points: number;
  readonly durationSeconds: number;
  /** Behavior while the limiter's store is down: sign-in paths refuse, the rest count in memory (design section 7). */
  readonly failClosed?: boolean;
  /** Points that a process takes at a time and then counts locally, for limits that every request meets. */
  readonly chunk?: number;
  /** True to count completed actions instead of attempts: a refused request returns what it took. */
  readonly quota?: boolean;
}

/** Separate from the table, because clients count with it too and need nothing else of the table. */
export const codeSendsPerNumberShort = { points: 3, durationSeconds: 600, failClosed: true } as const;

/**
 * All rate limits. Keys name the action and the subject of the count. For an IPv6 address, the subjects are the /64,
 * and the /48 with 16 times as much (kit, rateLimit.ts).
 */
export const rateLimits = {
  /** Decision 4: per number; counted in Postgres, so that an emptied Redis grants nothing. */
  codeSendsPerNumberShort,
  codeSendsPerNumberDay: { points: 10, durationSeconds: 86_400, failClosed: true },
  /** Share of those that users in one network may use up if they have not signed in with the number before. */
  codeSendsPerNumberDayShare: { points: 5, durationSeconds: 86_400, failClosed: true },
  /** Sends above which a client must solve a challenge (decision 40), and the separate limit with a solution. */
  codeSendsPerAddress: { points: 10, durationSeconds: 3_600, failClosed: true },
  codeSendsPerPrefix: { points: 200, durationSeconds: 3_600, failClosed: true },
  codeSendsSolvedPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** Window exceeds the validity of a challenge. */
  challengeSolutionUses: { points: 1, durationSeconds: 900, failClosed: true },
  /** Budget of text messages: in total, per country, and a reserve beyond both for browsers that signed in before. */
  textMessagesPerDay: { points: 5_000, durationSeconds: 86_400, failClosed: true },
  textMessagesPerCountryDay: { points: 1_000, durationSeconds: 86_400, failClosed: true },
  textMessagesReservePerDay: { points: 1_000, durationSeconds: 86_400, failClosed: true },
  /** Codes by email: in total, a reserve for browsers that signed in before, and to addresses that one user claims. */
  mailCodesPerDay: { points: 20_000, durationSeconds: 86_400, failClosed: true },
  mailCodesReservePerDay: { points: 2_000, durationSeconds: 86_400, failClosed: true },
  mailCodesPerUserDay: { points: 20, durationSeconds: 86_400, failClosed: true },
  /** Per operator. */
  mailInvitationsPerUserDay: { points: 500, durationSeconds: 86_400, failClosed: true, quota: true },
  codeChecksPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  providerSignInsPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** Passkey challenges, one for each view of the sign-in form, and sign-in attempts with passkeys. */
  passkeyChallengesPerAddress: { points: 600, durationSeconds: 3_600, failClosed: true },
  passkeySignInsPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** Attempts after a code by text message: one-time passwords, recovery codes, and requests to wait. */
  secondFactorPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /**
   * Attempts at one-time passwords of an account: by all browsers new to its number, by each known browser, and as
   * fresh proof.
   */
  secondFactorTriesPerAccount: { points: 20, durationSeconds: 86_400, failClosed: true },
  secondFactorTriesPerKnownBrowser: { points: 20, durationSeconds: 86_400, failClosed: true },
  secondFactorProofsPerAccount: { points: 30, durationSeconds: 86_400, failClosed: true },
  /** Requests for an account without its second factor; each one notifies all its devices. */
  accountWaitsPerAccount: { points: 3, durationSeconds: 86_400, failClosed: true },
  /** Sign-in methods added, renamed or removed, changes undone, notices marked as seen. */
  accountChangesPerUser: { points: 60, durationSeconds: 3_600 },
  /** Device lists and renewed box keys that are accepted, and links begun (docs/encryption.md, section 9). */
  deviceListsPerUserDay: { points: 20, durationSeconds: 86_400, quota: true },
  boxKeyRenewalsPerUserDay: { points: 60, durationSeconds: 86_400, quota: true },
  deviceLinksPerUserDay: { points: 10, durationSeconds: 86_400, quota: true },
  /** Steps of links, claims of devices, and wrapped recovery seeds. */
  keyChangesPerUser: { points: 120, durationSeconds: 3_600 },
  /** Keys of other accounts, looked up one by one or in batches. */
  keyLookupsPerUser: { points: 600, durationSeconds: 60, chunk: 10 },
  accessTokenCreatesPerUserDay: { points: 40, durationSeconds: 86_400, quota: true },
  /** Invalid or expired personal access tokens. Above the limit, the address is refused for a while. */
  wrongTokensPerAddress: { points: 100, durationSeconds: 600 },
  /** All requests with one personal access token; they also count for its account. */
  requestsPerToken: { points: 600, durationSeconds: 60, chunk: 20 },
  searchesPerUserMinute: { points: 60, durationSeconds: 60 },
  searchesPerUserDay: { points: 2_000, durationSeconds: 86_400 },
  /** Phone numbers and email addresses searched or added, found or not, because they could reveal who is registered. */
  exactLookupsPerUserDay: { points: 60, durationSeconds: 86_400 },
  /** Generous, because an office or a mobile network shares an IPv4 address. */
  exactLookupsPerAddress: { points: 600, durationSeconds: 3_600 },
  /** Usernames are public, so this is generous. */
  usernameLookupsPerUserDay: { points: 500, durationSeconds: 86_400 },
  /** Changes of name, status message, presence and privacy together; each may notify everyone who knows the user. */
  profileChangesPerUser: { points: 60, durationSeconds: 60 },
  /** Contact links shown and renewed, and people looked up by theirs. */
  contactLinksPerUser: { points: 60, durationSeconds: 600 },
  /** Counts attempts, because each reveals whether a username is free. */
  usernameChangesPerUserDay: { points: 30, durationSeconds: 86_400 },
  contactAddsPerUserDay: { points: 500, durationSeconds: 86_400, quota: true },
  /** Contacts renamed or removed. */
  contactChangesPerUser: { points: 120, durationSeconds: 60 },
  blocksPerUser: { points: 60, durationSeconds: 600 },
  conversationStartsPerUserDay: { points: 500, durationSeconds: 86_400, quota: true },
  messagesPerUser: { points: 600, durationSeconds: 60, chunk: 10 },
  /** Cursors move while a user reads; clients batch the moves. */
  cursorMovesPerUser: { points: 1_200, durationSeconds: 60, chunk: 20 },
  uploadsPerUserHour: { points: 60, durationSeconds: 3_600, quota: true },
  /** Files sent in conversations, and megapixels of their pictures as JPEG; other formats count several times. */
  fileUploadsPerUserHour: { points: 600, durationSeconds: 3_600 },
  pictureMegapixelsPerUserHour: { points: 7_200, durationSeconds: 3_600 },
  /** Uploads completed as files or pictures, and uploads aborted; retries are common. */
  uploadEndsPerUserHour: { points: 1_800, durationSeconds: 3_600 },
  uploadPartsPerUser: { points: 1_000, durationSeconds: 60, chunk: 10 },
  /** Credentials last 15 minutes, and each client window renews them after half of that. */
  temporaryCredentialsPerUser: { points: 60, durationSeconds: 900 },
  importsPerUser: { points: 30, durationSeconds: 600 },
  transcriptionsPerUser: { points: 30, durationSeconds: 600 },
  /** All requests per account, or per address without a session. */
  requestsPerUser: { points: 3_000, durationSeconds: 60, chunk: 50 },
  requestsPerAddress: { points: 6_000, durationSeconds: 60, chunk: 50 },
  meetingCreatesPerUserDay: { points: 200, durationSeconds: 86_400, quota: true },
  /**
   * Wrong room codes (decisions 9 and 40), separate for callers with and without an account, so that neither uses up
   * the other's budget; see roomCodeMisses. While one of them is used up, a code alone reveals nothing, right or wrong,
   * and a right one leads to the lobby or to approval.
   */
  roomCodeMissesPerUser: { points: 30, durationSeconds: 600 },
  roomCodeMissesPerAddress: { points: 60, durationSeconds: 600 },
  roomCodeMissesOverall: { points: 3_000, durationSeconds: 600 },
  anonymousRoomCodeMissesPerAddress: { points: 60, durationSeconds: 600 },
  anonymousRoomCodeMissesOverall: { points: 3_000, durationSeconds: 600 },
  /** Codes that a caller may try meanwhile, right or wrong; no account uses up another's budget. */
  guardedRoomCodesPerUser: { points: 20, durationSeconds: 600 },
  guardedRoomCodesPerAddress: { points: 120, durationSeconds: 600 },
  /** Guest passes without an invite link. Excess guests are not refused: see `lobbyPlacesOfBusyNetwork`. */
  guestsPerAddress: { points: 30, durationSeconds: 600 },
  groupCreatesPerUserDay: { points: 100, durationSeconds: 86_400, quota: true },
  groupMemberAddsPerUserDay: { points: 2_000, durationSeconds: 86_400, quota: true },
  /** Changes of groups, pins, stars and the like; reactions are as easy as typing. */
  conversationChangesPerUser: { points: 120, durationSeconds: 60 },
  messageMarksPerUser: { points: 300, durationSeconds: 60, chunk: 10 },
  statusPostsPerUserDay: { points: 100, durationSeconds: 86_400, quota: true },
  /** Views, one for each status update viewed. */
  statusViewsPerUser: { points: 600, durationSeconds: 60, chunk: 10 },
  /** Status updates deleted, audiences changed, authors muted. */
  statusChangesPerUser: { points: 120, durationSeconds: 60 },
  /** Social platform accounts connected (including the return from the platform) and disconnected. */
  socialConnectsPerUser: { points: 60, durationSeconds: 600 },
  /** Posts to social platforms, including drafts. */
  socialPostsPerUserDay: { points: 500, durationSeconds: 86_400, quota: true },
  /** Posts edited, canceled or retried; accounts selected. */
  socialChangesPerUser: { points: 120, durationSeconds: 60 },
  /** Orders created; billing limits unpaid ones. */
  ordersPerUser: { points: 60, durationSeconds: 3_600, quota: true },
  /** Plans canceled and resumed, seats assigned, receipts fetched, payment gateways queried. */
  billingChangesPerUser: { points: 120, durationSeconds: 600 },
  /** Webhooks created, changed, tested and deleted; deliveries repeated. */
  webhookChangesPerUser: { points: 60, durationSeconds: 600 },
  /** Push subscriptions started or ended; notification settings changed. */
  pushChangesPerUser: { points: 120, durationSeconds: 600 },
  /** Each change may create a picture again. */
  brandChangesPerUser: { points: 60, durationSeconds: 600 },
  reportsPerUserDay: { points: 30, durationSeconds: 86_400, quota: true },
  operatorChangesPerUser: { points: 120, durationSeconds: 600 },
  /** Emails to addresses that users provide. */
  mailsPerUserDay: { points: 30, durationSeconds: 86_400, quota: true },
  /** Payment notifications: they come from few addresses for all customers, and refused ones are repeated. */
  paymentNotificationsPerAddress: { points: 1_200, durationSeconds: 60 },
  linkPreviewsPerUser: { points: 60, durationSeconds: 600 },
  /** Overall limit, so that Nolo does not burden other sites. */
  linkPreviewsOverall: { points: 1_200, durationSeconds: 60 },
  reactionsPerParticipant: { points: 30, durationSeconds: 10 },
  /** Changes by the host of a meeting: name, admission, muting, invite links and codes. */
  meetingChangesPerUser: { points: 300, durationSeconds: 60 },
  /** Calls answered, declined, ended and changed. */
  callChangesPerUser: { points: 120, durationSeconds: 60 },
  callsPerUser: { points: 30, durationSeconds: 600, quota: true },
  preferenceChangesPerUser: { points: 60, durationSeconds: 60 },
  socketsPerUser: { points: 60, durationSeconds: 60 },
  accountExportsPerDay: { points: 3, durationSeconds: 86_400, quota: true },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

/**
 * Demo mode relaxes only limits per address and number prefix (decision 4), and the cost of messages, which are not
 * really sent.
 */
export const demoRateLimits: Partial<Record<RateLimitName, RateLimit>> = {
  codeSendsPerAddress: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  codeSendsPerPrefix: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  textMessagesPerDay: { points: 1_000_000, durationSeconds: 86_400, failClosed: true },
  textMessagesPerCountryDay: { points: 1_000_000, durationSeconds: 86_400, failClosed: true },
  codeChecksPerAddress: { points: 50_000, durationSeconds: 3_600, failClosed: true },
  providerSignInsPerAddress: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  passkeyChallengesPerAddress: { points: 50_000, durationSeconds: 3_600, failClosed: true },
  passkeySignInsPerAddress: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  secondFactorPerAddress: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  requestsPerAddress: { points: 600_000, durationSeconds: 60, chunk: 50 },
  roomCodeMissesPerAddress: { points: 50_000, durationSeconds: 600 },
  anonymousRoomCodeMissesPerAddress: { points: 50_000, durationSeconds: 600 },
  guardedRoomCodesPerAddress: { points: 50_000, durationSeconds: 600 },
  guestsPerAddress: { points: 10_000, durationSeconds: 600 },
  exactLookupsPerAddress: { points: 50_000, durationSeconds: 3_600 },
};
