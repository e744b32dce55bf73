/** Sizes and counts that the server enforces and the clients show; `GET /api/config` hands them out as `limits`. */
export const limits = {
  /** Bytes of UTF-8 in a message's content (decision 13). */
  messageContentBytes: 65_536,
  /** Accounts that one message may mention. */
  mentionsPerMessage: 50,
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
  /** Digits of a verification code (spec section 9). */
  verificationCodeDigits: 6,
  verificationCodeValidSeconds: 600,
  verificationTriesPerCode: 5,
  nameLength: 50,
  contactNameLength: 100,
  statusMessageLength: 140,
  searchQueryLength: 100,
  /** Milliseconds between the last key and the search (spec section 9). */
  searchDebounceMs: 300,
  /** Bytes of one frame that a client may send over `/ws`. */
  socketFrameBytes: 131_072,
  /** Milliseconds after which a typing mark ends by itself. */
  typingTimeoutMs: 6_000,
  sessionsPerUser: 100,
  meetingNameLength: 100,
  meetingDescriptionLength: 1_000,
  /** Spec section 9. */
  meetingParticipantsMin: 2,
  meetingParticipantsMax: 100,
  meetingParticipantsDefault: 50,
  meetingMinutesMax: 1_440,
  meetingsPerPage: 100,
  meetingsPerUser: 2_000,
  /** People who wait to be let in. */
  lobbySize: 100,
  /** Minutes before the plan's end of a meeting at which it is announced (decision 21). */
  meetingWarningMinutes: 5,
  /** How many people a plan's time limit begins to count with (decision 21). */
  meetingTimeLimitPeople: 3,
  /** Milliseconds for which a participant whose socket is away is kept. */
  participantLeaseMs: 8_000,
  guestNameLength: 50,
  /** Milliseconds until an unanswered call is missed (decision 19). */
  callRingMs: 45_000,
  callsPerPage: 100,
  /** Bytes of one session description or candidate. */
  callSignalBytes: 65_536,
  /** Videos forwarded to one participant, pins and screens apart (decision 22). */
  visibleTiles: 12,
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
}

/** Every rate limit in one table. Keys name what is counted and per what. */
export const rateLimits = {
  /** Decision 4: per number; counted in Postgres, so that an emptied Redis grants nothing. */
  codeSendsPerNumberShort: { points: 3, durationSeconds: 600, failClosed: true },
  codeSendsPerNumberDay: { points: 10, durationSeconds: 86_400, failClosed: true },
  codeSendsPerAddress: { points: 10, durationSeconds: 3_600, failClosed: true },
  codeSendsPerPrefix: { points: 200, durationSeconds: 3_600, failClosed: true },
  codeChecksPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  providerSignInsPerAddress: { points: 60, durationSeconds: 3_600, failClosed: true },
  searchesPerUserMinute: { points: 60, durationSeconds: 60 },
  searchesPerUserDay: { points: 2_000, durationSeconds: 86_400 },
  /** Exact look-ups by number or mail address, which could otherwise enumerate who is registered. */
  exactLookupsPerUserDay: { points: 200, durationSeconds: 86_400 },
  contactAddsPerUserDay: { points: 500, durationSeconds: 86_400 },
  conversationStartsPerUserDay: { points: 500, durationSeconds: 86_400 },
  messagesPerUser: { points: 600, durationSeconds: 60, chunk: 10 },
  uploadsPerUserHour: { points: 60, durationSeconds: 3_600 },
  /** All requests of one account, or of one address without a session. */
  requestsPerUser: { points: 3_000, durationSeconds: 60, chunk: 50 },
  requestsPerAddress: { points: 6_000, durationSeconds: 60, chunk: 50 },
  meetingCreatesPerUserDay: { points: 200, durationSeconds: 86_400 },
  /** Room codes tried, right or wrong (decision 9). */
  roomCodeTriesPerUser: { points: 30, durationSeconds: 600 },
  roomCodeTriesPerAddress: { points: 60, durationSeconds: 600 },
  /** Wrong codes over all: when somebody guesses from everywhere, codes alone let nobody in for a while. */
  roomCodeMissesOverall: { points: 3_000, durationSeconds: 600 },
  guestsPerAddress: { points: 30, durationSeconds: 600 },
  reactionsPerParticipant: { points: 30, durationSeconds: 10 },
  callsPerUser: { points: 30, durationSeconds: 600 },
  socketsPerUser: { points: 60, durationSeconds: 60 },
  accountExportsPerDay: { points: 10, durationSeconds: 86_400 },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

/** Demo mode relaxes only what is counted per address and per number prefix (decision 4). */
export const demoRateLimits: Partial<Record<RateLimitName, RateLimit>> = {
  codeSendsPerAddress: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  codeSendsPerPrefix: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  codeChecksPerAddress: { points: 50_000, durationSeconds: 3_600, failClosed: true },
  providerSignInsPerAddress: { points: 10_000, durationSeconds: 3_600, failClosed: true },
  requestsPerAddress: { points: 600_000, durationSeconds: 60, chunk: 50 },
  roomCodeTriesPerAddress: { points: 50_000, durationSeconds: 600 },
  guestsPerAddress: { points: 10_000, durationSeconds: 600 },
};
