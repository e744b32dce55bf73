/** What people are told of by web push, on all of their devices or on none. */
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

/** What a push is about; each is of one kind. Nothing else is known of it but ids. */
export const pushTypes = {
  message: 'messages',
  mention: 'messages',
  reply: 'messages',
  reaction: 'reactions',
  call: 'calls',
  /** It does not ring any more: answered or declined on another device. */
  call_over: 'calls',
  missed_call: 'calls',
  /** Somebody asks to be let into a group. */
  join_request: 'requests',
  /** A scheduled post went out, or did not. */
  post: 'posts',
  /** Somebody waits in a meeting's lobby, and no host is there. */
  lobby_knock: 'lobby',
  /** A payment arrived, or a paid period is about to end, or has. */
  payment: 'payments',
  /** The archive of one's account is ready. */
  export: 'exports',
  /** Somebody whose status updates one may see has posted one. */
  status: 'statuses',
} as const satisfies Record<string, PushKind>;
export type PushType = keyof typeof pushTypes;

export const pushLimits = {
  endpointLength: 1_024,
  /** Of one account: browsers that take pushes. A further one takes the place of the oldest. */
  subscriptionsPerAccount: 20,
  /** Seconds for which a push service keeps what a device does not fetch (TTL of RFC 8030). */
  ttlSeconds: 3 * 86_400,
  /** The same of an archive of one's account, which is there for a day. */
  exportTtlSeconds: 86_400,
  /** The same of somebody who waits in a lobby. */
  lobbyTtlSeconds: 600,
  /** Milliseconds that a push service has to answer. */
  answerMs: 10_000,
  minutesPerDay: 1_440,
} as const;
