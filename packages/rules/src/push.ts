/** Kinds of web push notifications; each is enabled for all of a user's devices or none. */
export const pushKinds = [
  'messages',
  'reactions',
  'calls',
  'requests',
  'lobby',
  'posts',
  'payments',
  'statuses',
  'exports',
] as const;
export type PushKind = (typeof pushKinds)[number];

/** Types of pushes, each of one kind. A push contains only ids. */
export const pushTypes = {
  message: 'messages',
  mention: 'messages',
  reply: 'messages',
  reaction: 'reactions',
  call: 'calls',
  /** Stopped ringing: answered or declined on another device. */
  call_over: 'calls',
  missed_call: 'calls',
  /** New request to join a group. */
  join_request: 'requests',
  /** Scheduled post published or failed. */
  post: 'posts',
  /** User waiting in a meeting's lobby while no host is there. */
  lobby_knock: 'lobby',
  /** Payment arrived, or a paid period is about to end or has ended. */
  payment: 'payments',
  /** Archive of the account is ready. */
  export: 'exports',
  /** New status update that the user may see. */
  status: 'statuses',
} as const satisfies Record<string, PushKind>;
export type PushType = keyof typeof pushTypes;

export const pushLimits = {
  endpointLength: 1_024,
  /** Push subscriptions per account. A further one replaces the oldest. */
  subscriptionsPerAccount: 20,
  /** Seconds for which a push service stores what a device does not fetch (TTL of RFC 8030). */
  ttlSeconds: 3 * 86_400,
  /** Same for an archive of the account, which is available for a day. */
  exportTtlSeconds: 86_400,
  /** Same for a user who waits in a lobby. */
  lobbyTtlSeconds: 600,
  /** Timeout of a push service in milliseconds. */
  answerMs: 10_000,
  minutesPerDay: 1_440,
} as const;
