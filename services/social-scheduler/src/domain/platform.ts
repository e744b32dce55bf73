import type { SocialPlatform } from '@nolo/rules';

/** IDs from the specification. */
export type PlatformId = SocialPlatform;

export type MediaKind = 'image' | 'video';

/** Limits from a platform's documentation. */
export interface PlatformLimits {
  /** Maximum text length, as `measure` counts it. */
  readonly text: number;
  readonly measure: (text: string) => number;
  readonly needsMedia: boolean;
  readonly images: number;
  readonly imageTypes: readonly string[];
  readonly imageBytes: number;
  /** Minimum and maximum ratio of width to height, if documented. */
  readonly imageRatio?: readonly [min: number, max: number];
  /** Maximum width times height. */
  readonly imagePixels?: number;
  readonly videos: number;
  readonly videoTypes: readonly string[];
  readonly videoBytes: number;
  /** True if a post may combine images and a video. */
  readonly mixes: boolean;
  /** Media that the platform fetches itself, from an address that it must be able to reach. */
  readonly fetches: readonly MediaKind[];
  /** Maximum characters of an image's alt text. 0 if the platform does not support it. */
  readonly altText: number;
}

/** Value that is readable only through its own method: kit's Secret. */
export interface HiddenSecret {
  reveal(): string;
}

export interface PlatformTokens {
  readonly access: HiddenSecret;
  readonly refresh?: HiddenSecret | undefined;
  /** Undefined if the platform does not report it; the token is used until it is refused. */
  readonly expiresAt?: Date | undefined;
}

/** Place where posts can be published: a person, a page, or an organization. */
interface PlatformAccount {
  /** Platform's own ID of the account, unique together with the server. */
  readonly id: string;
  readonly name: string;
  /** Server, for platforms with many. */
  readonly server?: string | undefined;
}

export interface AccountGrant {
  readonly account: PlatformAccount;
  readonly tokens: PlatformTokens;
}

/** Connected account with its current tokens. */
export type PlatformConnection = AccountGrant;

export interface PostMedia {
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly bytes: number;
  readonly altText: string;
  /** Reads the bytes from `start` up to but excluding `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** Returns a signed, short-lived address for platforms that fetch media themselves. */
  address(): Promise<string>;
}

export interface PlatformPost {
  readonly text: string;
  readonly media: readonly PostMedia[];
}

/** Attempt to publish a post to one account. */
export interface PublishAttempt {
  /** UUID that is equal for all attempts of one post to one account, and different otherwise. */
  readonly key: string;
  /** Start of the first attempt. Anything older cannot be this post. */
  readonly since: Date;
  /** State saved by an earlier attempt: the ID of something unfinished that can be continued. */
  readonly kept: string | undefined;
  keep(what: string): Promise<void>;
  /** Called before the request that makes the post public. Until then an attempt may be repeated without checking. */
  committing(): Promise<void>;
  readonly signal: AbortSignal;
}

export interface PublishedPost {
  readonly id: string;
  /** Public address of the post, if the platform reports it. */
  readonly address?: string | undefined;
}

/** Result of checking whether a post was published. `unknown`: the platform does not permit the check. */
export type PostLookupResult =
  { readonly state: 'published'; readonly post: PublishedPost } | { readonly state: 'absent' | 'unknown' };

/** State stored from the start of a connection to its end. `verifier` belongs to PKCE. */
export interface PendingConnection {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly server?: string | undefined;
}

interface BeginConnectionOptions {
  readonly redirectUri: string;
  /** Server, for platforms with many. Must be one that the operator allows. */
  readonly server?: string | undefined;
  readonly signal: AbortSignal;
}

/** Connection through a page of the platform in its own window. */
interface OAuthWay {
  readonly kind: 'oauth';
  /** Servers that the operator allows, for platforms with many. */
  readonly servers?: readonly string[] | undefined;
  begin(options: BeginConnectionOptions): Promise<{ address: string; pending: PendingConnection }>;
  /** @param callback the address to which the platform returned the browser, with its parameters */
  finish(pending: PendingConnection, callback: URL, signal: AbortSignal): Promise<AccountGrant[]>;
}

/** Connection through a name and a password that the platform creates for one app. */
interface AppPasswordWay {
  readonly kind: 'app_password';
  signIn(name: string, password: HiddenSecret, signal: AbortSignal): Promise<AccountGrant>;
}

/**
 * Operations of every platform. All reject with a PlatformError, which states one of a few reasons and contains neither
 * tokens nor the platform's text.
 */
export interface Platform {
  readonly id: PlatformId;
  readonly limits: PlatformLimits;
  readonly connect: OAuthWay | AppPasswordWay;
  /** Exchanges tokens for new ones. Undefined if the platform does not support it and people must reconnect. */
  readonly refresh: ((connection: PlatformConnection, signal: AbortSignal) => Promise<PlatformTokens>) | undefined;
  /** Ends our access on the platform. Resolves even if the platform does not support it. */
  revoke(connection: PlatformConnection, signal: AbortSignal): Promise<void>;
  publish(connection: PlatformConnection, post: PlatformPost, attempt: PublishAttempt): Promise<PublishedPost>;
  find(
    connection: PlatformConnection,
    post: PlatformPost,
    attempt: Omit<PublishAttempt, 'keep' | 'committing'>,
  ): Promise<PostLookupResult>;
}
