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
 * All rate limits. Keys name the action and the subject of the count. The gateway counts devices by their session,
 * which has at most one. For an IPv6 address, the subjects are the /64,
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
  /**
   * Device lists that add a device, for each device that signs, counted in Postgres; and attempts to add a list, for
   * each session (docs/encryption.md, section 9). Removals are not limited otherwise.
   */
  deviceListsPerDeviceDay: { points: 20, durationSeconds: 86_400 },
  listUploadsPerDevice: { points: 120, durationSeconds: 3_600 },
  /** Renewed box keys that are accepted, and links begun. */
  boxKeyRenewalsPerUserDay: { points: 60, durationSeconds: 86_400, quota: true },
  deviceLinksPerUserDay: { points: 10, durationSeconds: 86_400, quota: true },
  /** Steps of links, claims of devices, and wrapped recovery seeds. */
  keyChangesPerUser: { points: 120, durationSeconds: 3_600 },
  /** Epochs begun, requests for secrets that a device could not open, and records added to the vault. */
  epochCommitsPerUser: { points: 300, durationSeconds: 3_600 },
  nacksPerDeviceHour: { points: 60, durationSeconds: 3_600 },
  vaultRowsPerUser: { points: 3_000, durationSeconds: 3_600, chunk: 10 },
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
