import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '@nolo/kit/clock';

export const platformNames = [
  'twitter',
  'facebook',
  'instagram',
  'linkedin',
  'threads',
  'mastodon',
  'bluesky',
] as const;
export type PlatformName = (typeof platformNames)[number];

/** Calls of a platform to which a switch can apply. */
export const platformSteps = [
  'token',
  'refresh',
  'revoke',
  'account',
  'upload',
  'container',
  'status',
  'publish',
  'find',
] as const;
export type PlatformStep = (typeof platformSteps)[number];

/** Behavior at the next call of a step, once. */
export interface PlatformSwitch {
  readonly step: PlatformStep;
  /** Name of one of the platform's errors. */
  readonly error?: string | undefined;
  /** Seconds until a rate limit resets. */
  readonly resetSeconds?: number | undefined;
  readonly delayMs?: number | undefined;
  /** Performs the request, then drops the connection instead of answering: accepted, but timed out. */
  readonly lost?: boolean | undefined;
  /** Drops the connection and does nothing. */
  readonly cut?: boolean | undefined;
  /** Number of status polls for which new media is still processing. */
  readonly pollsUntilReady?: number | undefined;
  /** True if the processing fails in the end. */
  readonly fails?: boolean | undefined;
}

export interface SimulatedPlatformPost {
  readonly id: string;
  readonly platform: PlatformName;
  readonly account: string;
  readonly text: string;
  readonly media: readonly string[];
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

interface Issued {
  readonly platform: PlatformName;
  readonly kind: 'access' | 'refresh';
  /** Account or page for which the token is valid. */
  readonly account: string;
  endsAt: number;
}

interface Code {
  readonly platform: PlatformName;
  readonly redirectUri: string;
  readonly challenge: string | undefined;
}

/** Unfinished item: uploaded media, or a container to be published. */
export interface MediaPiece {
  readonly id: string;
  readonly platform: PlatformName;
  readonly fields: Readonly<Record<string, unknown>>;
  bytes: number;
  pollsUntilReady: number;
  fails: boolean;
  publishedAs: string | undefined;
}

const maxKeptPosts = 20_000;

/** Stores the state of all simulated platforms and the switches that tests set. */
export class PlatformSimulation {
  readonly #clock: Clock;
  readonly #tokens = new Map<string, Issued>();
  readonly #codes = new Map<string, Code>();
  readonly #pieces = new Map<string, MediaPiece>();
  #posts: SimulatedPlatformPost[] = [];
  #switches: (PlatformSwitch & { platform: PlatformName })[] = [];
  #sequence = 1_800_000_000_000_000_000n;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces the platform's pending switches. */
  prepare(platform: PlatformName, switches: readonly PlatformSwitch[]): void {
    this.#switches = this.#switches.filter((one) => one.platform !== platform);
    this.#switches.push(...switches.map((one) => ({ ...one, platform })));
  }

  next(platform: PlatformName, step: PlatformStep): PlatformSwitch | undefined {
    const index = this.#switches.findIndex((one) => one.platform === platform && one.step === step);
    return index === -1 ? undefined : this.#switches.splice(index, 1)[0];
  }

  now(): Date {
    return this.#clock.now();
  }

  /** Returns an increasing id, like those of most platforms. */
  newId(): string {
    return String((this.#sequence += 1n));
  }

  newCode(code: Code): string {
    const value = randomBytes(16).toString('base64url');
    this.#codes.set(value, code);
    return value;
  }

  /** Removes and returns a code, which is valid for one exchange. */
  takeCode(value: string): Code | undefined {
    const code = this.#codes.get(value);
    this.#codes.delete(value);
    return code;
  }

  issue(platform: PlatformName, kind: 'access' | 'refresh', account: string, seconds: number): string {
    return this.keepToken(`simulated-${kind}-${randomUUID()}`, platform, kind, account, seconds);
  }

  keepToken(
    token: string,
    platform: PlatformName,
    kind: 'access' | 'refresh',
    account: string,
    seconds: number,
  ): string {
    this.#tokens.set(token, { platform, kind, account, endsAt: this.now().getTime() + seconds * 1_000 });
    return token;
  }

  /** Returns the account of a token while it is valid. */
  accountOf(platform: PlatformName, kind: 'access' | 'refresh', token: string | undefined): string | undefined {
    const issued = token === undefined ? undefined : this.#tokens.get(token);
    if (issued?.platform !== platform || issued.kind !== kind) return undefined;
    return issued.endsAt > this.now().getTime() ? issued.account : undefined;
  }

  revoke(token: string): void {
    this.#tokens.delete(token);
  }

  /** Ends access tokens, as expiry would. With `all`, ends refresh tokens too, as if the person had revoked access. */
  endTokens(platform: PlatformName, all: boolean): void {
    for (const [token, issued] of this.#tokens) {
      if (issued.platform === platform && (all || issued.kind === 'access')) this.#tokens.delete(token);
    }
  }

  addPiece(
    platform: PlatformName,
    id: string,
    fields: Record<string, unknown>,
    activeSwitch: PlatformSwitch | undefined,
  ): MediaPiece {
    const piece = {
      id,
      platform,
      fields,
      bytes: 0,
      pollsUntilReady: activeSwitch?.pollsUntilReady ?? 0,
      fails: activeSwitch?.fails ?? false,
      publishedAs: undefined,
    };
    this.#pieces.set(id, piece);
    return piece;
  }

  piece(platform: PlatformName, id: string): MediaPiece | undefined {
    const piece = this.#pieces.get(id);
    return piece?.platform === platform ? piece : undefined;
  }

  /** Returns the progress of a piece; every poll brings its end nearer. */
  pollPiece(piece: MediaPiece): 'working' | 'ready' | 'failed' {
    if (piece.pollsUntilReady > 0) {
      piece.pollsUntilReady -= 1;
      return 'working';
    }
    return piece.fails ? 'failed' : 'ready';
  }

  publish(platform: PlatformName, post: Omit<SimulatedPlatformPost, 'platform' | 'createdAt'>): SimulatedPlatformPost {
    const made = { ...post, platform, createdAt: this.now().toISOString() };
    this.#posts.push(made);
    if (this.#posts.length > maxKeptPosts) this.#posts.shift();
    return made;
  }

  /** Newest first. */
  posts(platform?: PlatformName): SimulatedPlatformPost[] {
    return this.#posts.filter((post) => platform === undefined || post.platform === platform).toReversed();
  }
}
