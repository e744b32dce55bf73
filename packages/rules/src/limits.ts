import { groupLimits } from './groupLimits.ts';

/** Sizes and counts that the server enforces and the clients show; `GET /api/config` hands them out as `limits`. */
export const limits = {
  /** Bytes of UTF-8 in what a message says (decision 13), and in the envelope with everything that only clients read. */
  messageContentBytes: 65_536,
  messageEnvelopeBytes: 262_144,
  /** Accounts that one message may mention. */
  mentionsPerMessage: 50,
  /** Messages that somebody may send before the receiver, to whom they are no contact, has accepted them (decision 39). */
  messagesPerRequest: 5,
  /** Hours in which an author may edit or erase a message for everyone (decision 15). */
  editWindowHours: 24,
  /** Messages in one page of history. */
  messagesPerPage: 100,
  /** Changes in one page of a catch-up. */
  changesPerPage: 500,
  conversationsPerPage: 100,
  contactsPerPage: 200,
  contactsPerUser: 5_000,
  /** Bytes of a profile picture before it is re-encoded (spec section 5). */
  profileImageBytes: 5_242_880,
  /** Bytes of one file (5 GiB), and of one that is sent in a single piece; spec section 9 has larger ones sent in parts. */
  fileBytes: 5_368_709_120,
  singleUploadBytes: 104_857_600,
  /** Of a file sent in parts (spec section 9); the last part may be smaller. */
  uploadPartBytesMin: 5_242_880,
  uploadPartBytesMax: 104_857_600,
  uploadPartsMax: 10_000,
  /** Parts and files that a client sends at the same time, and milliseconds between two words of progress. */
  uploadConcurrency: 6,
  uploadProgressMs: 500,
  /** Uploads that one account may have open at once. */
  openUploadsPerUser: 50,
  /** Bytes and pixels of a picture that is cleaned and gets thumbnails. */
  imageBytes: 67_108_864,
  imagePixels: 50_000_000,
  /** Bytes that are fetched from a link. */
  importBytes: 1_073_741_824,
  fileNameBytes: 255,
  /** Bytes of UTF-8 in what a client says of a medium: its measures, its waveform, a blurred miniature. */
  mediaInfoBytes: 4_096,
  /** Digits of a verification code (spec section 9). */
  verificationCodeDigits: 6,
  verificationCodeValidSeconds: 600,
  verificationTriesPerCode: 5,
  nameLength: 50,
  /** Characters of a username, days for which one that was given up is nobody else's, and how many of one's own may be. */
  usernameLengthMin: 3,
  usernameLengthMax: 30,
  usernameReservedDays: 30,
  usernamesReservedPerUser: 5,
  contactNameLength: 100,
  statusMessageLength: 140,
  lastSeenKeptDays: 90,
  searchQueryLength: 100,
  /** Milliseconds between the last key and the search (spec section 9). */
  searchDebounceMs: 300,
  /** Objects and lists inside one another in JSON that a client sends, and entries of all of them together. */
  jsonDepth: 32,
  jsonEntries: 2_000,
  /** Bytes of one frame that a client may send over `/ws`. */
  socketFrameBytes: 131_072,
  /** Milliseconds after which a typing mark ends by itself. */
  typingTimeoutMs: 6_000,
  sessionsPerUser: 100,
  /** Ways to sign in to one account. */
  identitiesPerUser: 20,
  passkeyNameLength: 60,
  /** Seconds in which a passkey's challenge is to be answered. */
  passkeyChallengeSeconds: 300,
  /** Seconds for which a code, of a message or an authenticator app, a sign-in at the provider or a passkey counts as fresh proof (decision 38). */
  proofSeconds: 300,
  /** The same for what operators do. */
  operatorProofSeconds: 900,
  operatorReasonLength: 500,
  /** Accounts with one mail address that an operator sees at once. */
  operatorAccountsFound: 20,
  operatorActsPerPage: 100,
  /** Of what people report: what one says about it, how many messages go along, and how much of each. */
  reportNoteLength: 1_000,
  reportMessages: 10,
  reportTextLength: 4_000,
  reportsPerPage: 100,
  /** Minutes in which the same reports, read again by the same operator, are one look in the audit. */
  reportLookMinutes: 10,
  /** Days that a report is kept once it is closed. */
  reportKeptDays: 180,
  /** Seconds in which a second factor that was begun is to be confirmed, and a right code by text message to be followed by it. */
  secondFactorBeginSeconds: 900,
  secondFactorTicketSeconds: 600,
  /** One-time passwords and recovery codes that may be tried after one code by text message. */
  secondFactorTriesPerTicket: 5,
  /** Recovery codes that are made at a time; so many left are few. */
  recoveryCodes: 10,
  recoveryCodesFew: 2,
  /** Days after which an account opens without its second factor where nobody refused, and for which it then does. */
  accountWaitDays: 7,
  accountWaitOpenDays: 7,
  /** Days in which a number can take its account back and changes are undone; and in which a closed account is kept. */
  takeBackDays: 7,
  accountGraceDays: 7,
  /** Days for which sign-ins and changes of the ways to sign in are told. */
  securityNoticeDays: 90,
  securityNoticesPerPage: 100,
  /** Personal access tokens of one account that live at a time, and what one is called. */
  accessTokensPerUser: 20,
  accessTokenNameLength: 60,
  accessTokenDaysMax: 365,
  accessTokensPerPage: 100,
  /** Days for which tokens are kept that expired or were revoked. */
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
  /** Places in a lobby for guests of one network, once it has had more passes than `guestsPerAddress`. */
  lobbyPlacesPerCrowd: 20,
  /** People who wait to be let in. */
  lobbySize: 100,
  /** Devices of one person in a room (decision 41), and of one guest's pass in a lobby. */
  devicesPerPerson: 3,
  lobbyDevicesPerGuest: 1,
  /** Minutes before the plan's end of a meeting at which it is announced (decision 21). */
  meetingWarningMinutes: 5,
  /** How many people a plan's time limit begins to count with (decision 21). */
  meetingTimeLimitPeople: 3,
  /** Milliseconds for which a participant whose socket is away is kept. */
  participantLeaseMs: 8_000,
  /** Milliseconds for which somebody whose lease ran out may come back as who they were: in a meeting, in a call. */
  participantReturnMs: 120_000,
  callReturnMs: 20_000,
  /** Milliseconds for which transports are kept for somebody who looks at themselves at the door. */
  seatMs: 60_000,
  guestNameLength: 50,
  /** Of one voice note that is to be transcribed: bytes and seconds; and the seconds that the work on it may take. */
  transcriptionAudioBytes: 26_214_400,
  transcriptionAudioSeconds: 600,
  transcriptionWorkSeconds: 60,
  /** Days for which what was said beside a meeting is kept (decision 23). */
  meetingChatDays: 30,
  /** Milliseconds until an unanswered call is missed (decision 19). */
  callRingMs: 45_000,
  callsPerPage: 100,
  /** Bytes of one session description or candidate. */
  callSignalBytes: 65_536,
  /** Videos forwarded to one participant, pins and screens apart (decision 22). */
  visibleTiles: 12,
  /** Consumers that are made ahead for somebody at the door: of a page of people all that each may send. */
  seatConsumers: 48,
  ...groupLimits,
  /** Members up to which everybody is told of everybody's receipts; beyond, authors are told of those of their messages. */
  receiptsToAllMembers: 32,
  /** Conversations whose cursors move in one call. */
  cursorsAtOnce: 100,
  /** Days for which somebody counts as new in a moderated group (decision 16). */
  newMemberDays: 7,
  /** Messages that wait for approval, in one group and of one person in it. */
  heldPerGroup: 500,
  heldPerMember: 20,
  /** Bytes of UTF-8 in what a client made of a linked page. */
  linkPreviewBytes: 32_768,
  /** What is taken of a linked page: characters of the address and of its texts, bytes of the page and its picture. */
  linkLength: 2_048,
  linkPreviewTitleLength: 200,
  linkPreviewDescriptionLength: 300,
  linkPreviewSiteLength: 60,
  linkPreviewPageBytes: 1_048_576,
  linkPreviewImageBytes: 2_097_152,
  /** Bytes of UTF-8 in a reaction: the longest emoji with all its parts, and some room. */
  reactionBytes: 64,
  reactionsPerMessage: 500,
  pinnedPerConversation: 20,
  pinnedConversationsPerUser: 10,
  starsPerUser: 5_000,
  starsPerPage: 100,
  /** Seconds that a disappearing message stays: up to four weeks. */
  disappearingSecondsMin: 5,
  disappearingSecondsMax: 2_419_200,
  /** Hours for which a status update is there (spec section 9). */
  statusHours: 24,
  /** Characters of its text or caption, as people count them. */
  statusCaptionLength: 500,
  /** Bytes of UTF-8 in what a status update says, with everything that only clients read. */
  statusContentBytes: 32_768,
  /** Bytes of its picture or video, and seconds of its video. */
  statusMediaBytes: 104_857_600,
  statusVideoSeconds: 60,
  /** Status updates of one account that are there at a time. */
  statusesPerUser: 30,
  /** People whose status updates come in one page. */
  statusAuthorsPerPage: 50,
  statusViewersPerPage: 200,
  /** People whom "all but" leaves out, or whom "only" names. */
  statusAudiencePeople: 1_000,
  /** People whose status updates one account has muted. */
  statusMutesPerUser: 1_000,
} as const;

export type Limits = typeof limits;

/** How often something may happen. `durationSeconds` is the window in which `points` are counted. */
export interface RateLimit {
  readonly points: number;
  readonly durationSeconds: number;
  /** Where the limiter's store is down: sign-in paths refuse, the rest count in memory (design section 7). */
  readonly failClosed?: boolean;
  /** So many points a process takes at a time and then counts by itself: for what every request meets. */
  readonly chunk?: number;
  /** Counts what was done and not what was asked for: a request that is refused gives back what it took. */
  readonly quota?: boolean;
}

/** Apart from the table, for clients count with it too and need nothing else of it. */
export const codeSendsPerNumberShort = { points: 3, durationSeconds: 600, failClosed: true } as const;

/**
 * Every rate limit in one table. Keys name what is counted and per what: of an IPv6 address the /64, and the /48 with 16
 * times as much (kit, rateLimit.ts).
 */
export const rateLimits = {
  /** Decision 4: per number; counted in Postgres, so that an emptied Redis grants nothing. */
  codeSendsPerNumberShort,
  codeSendsPerNumberDay: { points: 10, durationSeconds: 86_400, failClosed: true },
  /** Of those, how many somebody in one network may use up, who has not signed in with the number before. */
  codeSendsPerNumberDayShare: { points: 5, durationSeconds: 86_400, failClosed: true },
  /** Above these, work is asked for before a code is sent (decision 40), and with it so many more. */
  codeSendsPerAddress: { points: 10, durationSeconds: 3_600, failClosed: true },
  codeSendsPerPrefix: { points: 200, durationSeconds: 3_600, failClosed: true },
  codeSendsSolvedPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** Longer than a challenge is good for. */
  challengeSolutionUses: { points: 1, durationSeconds: 900, failClosed: true },
  /** What text messages may cost, in messages: all together, to one country, and beyond both to browsers that signed in before. */
  textMessagesPerDay: { points: 5_000, durationSeconds: 86_400, failClosed: true },
  textMessagesPerCountryDay: { points: 1_000, durationSeconds: 86_400, failClosed: true },
  textMessagesReservePerDay: { points: 1_000, durationSeconds: 86_400, failClosed: true },
  /** Codes by mail: all together, beyond that to browsers that signed in before, and to addresses that one person names as theirs. */
  mailCodesPerDay: { points: 20_000, durationSeconds: 86_400, failClosed: true },
  mailCodesReservePerDay: { points: 2_000, durationSeconds: 86_400, failClosed: true },
  mailCodesPerUserDay: { points: 20, durationSeconds: 86_400, failClosed: true },
  /** Of one operator. */
  mailInvitationsPerUserDay: { points: 500, durationSeconds: 86_400, failClosed: true, quota: true },
  codeChecksPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  providerSignInsPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** Challenges for passkeys, one with each view of the sign-in form, and what is brought back. */
  passkeyChallengesPerAddress: { points: 600, durationSeconds: 3_600, failClosed: true },
  passkeySignInsPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** What is brought after a code by text message: one-time passwords, recovery codes, and the wish to wait. */
  secondFactorPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  /** One-time passwords tried for an account: by all browsers new to its number, by each known one, and as fresh proof. */
  secondFactorTriesPerAccount: { points: 20, durationSeconds: 86_400, failClosed: true },
  secondFactorTriesPerKnownBrowser: { points: 20, durationSeconds: 86_400, failClosed: true },
  secondFactorProofsPerAccount: { points: 30, durationSeconds: 86_400, failClosed: true },
  /** How often one asks for an account without its second factor; each time all its devices are told. */
  accountWaitsPerAccount: { points: 3, durationSeconds: 86_400, failClosed: true },
  /** Ways to sign in that are added, named or taken away, changes that are undone, notices that were seen. */
  accountChangesPerUser: { points: 60, durationSeconds: 3_600 },
  accessTokenCreatesPerUserDay: { points: 40, durationSeconds: 86_400, quota: true },
  /** Personal access tokens that are none, or none any more: beyond it they are refused for a while. */
  wrongTokensPerAddress: { points: 100, durationSeconds: 600 },
  /** All requests with one personal access token; they count for its account as well. */
  requestsPerToken: { points: 600, durationSeconds: 60, chunk: 20 },
  searchesPerUserMinute: { points: 60, durationSeconds: 60 },
  searchesPerUserDay: { points: 2_000, durationSeconds: 86_400 },
  /** Numbers and mail addresses searched for or added, found or not: they could enumerate who is registered. */
  exactLookupsPerUserDay: { points: 60, durationSeconds: 86_400 },
  /** An office or a mobile network shares an IPv4 address. */
  exactLookupsPerAddress: { points: 600, durationSeconds: 3_600 },
  /** Usernames are public. */
  usernameLookupsPerUserDay: { points: 500, durationSeconds: 86_400 },
  /** Of name, status message, presence and privacy together; each may be a word to everybody who knows one. */
  profileChangesPerUser: { points: 60, durationSeconds: 60 },
  /** The link by which one is added, shown and renewed; and people looked up by theirs. */
  contactLinksPerUser: { points: 60, durationSeconds: 600 },
  /** Counts attempts, because each tells whether a username is free. */
  usernameChangesPerUserDay: { points: 30, durationSeconds: 86_400 },
  contactAddsPerUserDay: { points: 500, durationSeconds: 86_400, quota: true },
  /** Names of contacts, and which of them there are. */
  contactChangesPerUser: { points: 120, durationSeconds: 60 },
  blocksPerUser: { points: 60, durationSeconds: 600 },
  conversationStartsPerUserDay: { points: 500, durationSeconds: 86_400, quota: true },
  messagesPerUser: { points: 600, durationSeconds: 60, chunk: 10 },
  /** A cursor moves while one reads; clients gather its moves. */
  cursorMovesPerUser: { points: 1_200, durationSeconds: 60, chunk: 20 },
  uploadsPerUserHour: { points: 60, durationSeconds: 3_600, quota: true },
  /** Files that are sent in conversations, and megapixels of their pictures as JPEG; other formats count several times. */
  fileUploadsPerUserHour: { points: 600, durationSeconds: 3_600 },
  pictureMegapixelsPerUserHour: { points: 7_200, durationSeconds: 3_600 },
  /** Files and pictures made of what was uploaded, and uploads given up; trying again is usual. */
  uploadEndsPerUserHour: { points: 1_800, durationSeconds: 3_600 },
  uploadPartsPerUser: { points: 1_000, durationSeconds: 60, chunk: 10 },
  /** One lasts for 15 minutes, and clients ask for the next one after half of that; each window does so for itself. */
  temporaryCredentialsPerUser: { points: 60, durationSeconds: 900 },
  importsPerUser: { points: 30, durationSeconds: 600 },
  transcriptionsPerUser: { points: 30, durationSeconds: 600 },
  /** All requests of one account, or of one address without a session. */
  requestsPerUser: { points: 3_000, durationSeconds: 60, chunk: 50 },
  requestsPerAddress: { points: 6_000, durationSeconds: 60, chunk: 50 },
  meetingCreatesPerUserDay: { points: 200, durationSeconds: 86_400, quota: true },
  /**
   * Wrong room codes (decisions 9 and 40), apart for those with and without an account, so that neither spends what is the
   * others'; see roomCodeMisses. Where one of them is spent, a code alone shows nothing, right or wrong, and a right one leads
   * to lobby or approval.
   */
  roomCodeMissesPerUser: { points: 30, durationSeconds: 600 },
  roomCodeMissesPerAddress: { points: 60, durationSeconds: 600 },
  roomCodeMissesOverall: { points: 3_000, durationSeconds: 600 },
  anonymousRoomCodeMissesPerAddress: { points: 60, durationSeconds: 600 },
  anonymousRoomCodeMissesOverall: { points: 3_000, durationSeconds: 600 },
  /** Doors that somebody may try meanwhile, with right codes and wrong ones; nobody spends what is another account's. */
  guardedDoorsPerUser: { points: 20, durationSeconds: 600 },
  guardedDoorsPerAddress: { points: 120, durationSeconds: 600 },
  /** Passes for guests; with an invite link they are not counted. Nobody is refused for it: see `lobbyPlacesPerCrowd`. */
  guestsPerAddress: { points: 30, durationSeconds: 600 },
  groupCreatesPerUserDay: { points: 100, durationSeconds: 86_400, quota: true },
  groupMemberAddsPerUserDay: { points: 2_000, durationSeconds: 86_400, quota: true },
  /** Changes of groups, of what is pinned, starred and the like; reactions are as easy as typing. */
  conversationChangesPerUser: { points: 120, durationSeconds: 60 },
  messageMarksPerUser: { points: 300, durationSeconds: 60, chunk: 10 },
  statusPostsPerUserDay: { points: 100, durationSeconds: 86_400, quota: true },
  /** Views, one for each status update that one looks at. */
  statusViewsPerUser: { points: 600, durationSeconds: 60, chunk: 10 },
  /** Status updates taken back, audiences, authors muted. */
  statusChangesPerUser: { points: 120, durationSeconds: 60 },
  /** Accounts at social platforms connected, come back from and disconnected. */
  socialConnectsPerUser: { points: 60, durationSeconds: 600 },
  /** Posts to social platforms, and drafts. */
  socialPostsPerUserDay: { points: 500, durationSeconds: 86_400, quota: true },
  /** Posts edited, cancelled, tried again; accounts chosen. */
  socialChangesPerUser: { points: 120, durationSeconds: 60 },
  /** Orders made; those of them that wait to be paid are limited by billing. */
  ordersPerUser: { points: 60, durationSeconds: 3_600, quota: true },
  /** Plans cancelled and resumed, seats given, receipts fetched, gateways asked. */
  billingChangesPerUser: { points: 120, durationSeconds: 600 },
  /** Webhooks made, changed, tried and deleted; deliveries sent again. */
  webhookChangesPerUser: { points: 60, durationSeconds: 600 },
  /** Browsers that begin or end to take pushes; what one wants to be told of. */
  pushChangesPerUser: { points: 120, durationSeconds: 600 },
  /** Each may make a picture anew. */
  brandChangesPerUser: { points: 60, durationSeconds: 600 },
  reportsPerUserDay: { points: 30, durationSeconds: 86_400, quota: true },
  operatorChangesPerUser: { points: 120, durationSeconds: 600 },
  /** Mails to addresses that people name. */
  mailsPerUserDay: { points: 30, durationSeconds: 86_400, quota: true },
  /** What gateways tell: few addresses of theirs bring what everybody pays, and whatever is refused they bring again. */
  paymentNotificationsPerAddress: { points: 1_200, durationSeconds: 60 },
  linkPreviewsPerUser: { points: 60, durationSeconds: 600 },
  /** Over all, so that nobody makes a burden for others of us. */
  linkPreviewsOverall: { points: 1_200, durationSeconds: 60 },
  reactionsPerParticipant: { points: 30, durationSeconds: 10 },
  /** Of meetings one hosts: what they are called, who is let in, who is muted; invite links and codes. */
  meetingChangesPerUser: { points: 300, durationSeconds: 60 },
  /** Answering, declining, ending and changing calls. */
  callChangesPerUser: { points: 120, durationSeconds: 60 },
  callsPerUser: { points: 30, durationSeconds: 600, quota: true },
  preferenceChangesPerUser: { points: 60, durationSeconds: 60 },
  socketsPerUser: { points: 60, durationSeconds: 60 },
  accountExportsPerDay: { points: 3, durationSeconds: 86_400, quota: true },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

/** Demo mode relaxes only what is counted per address and per number prefix (decision 4), and what its messages, which are none, would cost. */
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
  guardedDoorsPerAddress: { points: 50_000, durationSeconds: 600 },
  guestsPerAddress: { points: 10_000, durationSeconds: 600 },
  exactLookupsPerAddress: { points: 50_000, durationSeconds: 3_600 },
};
