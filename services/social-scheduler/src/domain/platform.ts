import type { SocialPlatform } from '@nolo/rules';

/** As the specification names them. */
export type PlatformId = SocialPlatform;

export type MediaKind = 'image' | 'video';

/** What a platform's documentation allows. */
export interface PlatformLimits {
  /** The longest text, as `measure` counts it. */
  readonly text: number;
  readonly measure: (text: string) => number;
  readonly needsMedia: boolean;
  readonly images: number;
  readonly imageTypes: readonly string[];
  readonly imageBytes: number;
  /** Width by height, least and most, where that is said. */
  readonly imageRatio?: readonly [least: number, most: number];
  /** Width times height. */
  readonly imagePixels?: number;
  readonly videos: number;
  readonly videoTypes: readonly string[];
  readonly videoBytes: number;
  /** Whether a post may have images and a video. */
  readonly mixes: boolean;
  /** What the platform fetches itself, from an address that it has to reach. */
  readonly fetches: readonly MediaKind[];
  /** Characters of the text that stands in for an image; 0 where the platform takes none. */
  readonly altText: number;
}

/** What is shown by its own method only: kit's Secret. */
export interface Hidden {
  reveal(): string;
}

export interface Tokens {
  readonly access: Hidden;
  readonly refresh?: Hidden | undefined;
  /** Unknown where the platform does not say; such a token is used until it is refused. */
  readonly expiresAt?: Date | undefined;
}

/** One place that posts can be published at: a person, a page, an organisation. */
export interface Account {
  /** The platform's own id of it, unique with the server. */
  readonly id: string;
  readonly name: string;
  /** Of platforms that are many servers. */
  readonly server?: string | undefined;
}

export interface Grant {
  readonly account: Account;
  readonly tokens: Tokens;
}

/** An account as it was connected, with the tokens of the moment. */
export type Connection = Grant;

export interface Media {
  readonly kind: MediaKind;
  readonly mimeType: string;
  readonly bytes: number;
  readonly altText: string;
  /** The bytes from `start` up to, and without, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
  /** A signed, short-lived address for platforms that fetch media themselves. */
  address(): Promise<string>;
}

export interface Post {
  readonly text: string;
  readonly media: readonly Media[];
}

/** One attempt to publish one post at one account. */
export interface Attempt {
  /** The same for every attempt of one post at one account, and for no other; a UUID. */
  readonly key: string;
  /** When the first attempt began; what is older cannot be this post. */
  readonly since: Date;
  /** What an earlier attempt kept: the id of something half-done that can be gone on with. */
  readonly kept: string | undefined;
  keep(what: string): Promise<void>;
  /** Called before the one request that makes the post public: up to here an attempt may be made again without asking. */
  committing(): Promise<void>;
  readonly signal: AbortSignal;
}

export interface Published {
  readonly id: string;
  /** Where people see it, if the platform says. */
  readonly address?: string | undefined;
}

/** Whether a post of which nobody knows went out. `unknown` where the platform does not let us look. */
export type Found =
  { readonly state: 'published'; readonly post: Published } | { readonly state: 'absent' | 'unknown' };

/** What has to be kept from the beginning of a connection to its end; `verifier` is PKCE's. */
export interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly server?: string | undefined;
}

export interface BeginOptions {
  readonly redirectUri: string;
  /** Of platforms that are many servers; has to be one that the operator allows. */
  readonly server?: string | undefined;
  readonly signal: AbortSignal;
}

/** By a page of the platform in a window of its own. */
interface OAuthWay {
  readonly kind: 'oauth';
  /** Of a platform that is many: those that the operator allows. */
  readonly servers?: readonly string[] | undefined;
  begin(options: BeginOptions): Promise<{ address: string; pending: Pending }>;
  /** @param callback the address that the platform sent the browser back to, with its parameters. */
  finish(pending: Pending, callback: URL, signal: AbortSignal): Promise<Grant[]>;
}

/** By a name and a password that the platform makes for one app. */
interface AppPasswordWay {
  readonly kind: 'app_password';
  signIn(name: string, password: Hidden, signal: AbortSignal): Promise<Grant>;
}

/**
 * What every platform can do. All of it rejects with a PlatformError, which says why in one of a few reasons, and carries no
 * token and nothing that a platform wrote.
 */
export interface Platform {
  readonly id: PlatformId;
  readonly limits: PlatformLimits;
  readonly connect: OAuthWay | AppPasswordWay;
  /** New tokens for old ones; undefined where the platform has no way to, and one has to connect again. */
  readonly refresh: ((connection: Connection, signal: AbortSignal) => Promise<Tokens>) | undefined;
  /** Ends our access at the platform; resolves too where the platform offers no way to. */
  revoke(connection: Connection, signal: AbortSignal): Promise<void>;
  publish(connection: Connection, post: Post, attempt: Attempt): Promise<Published>;
  find(connection: Connection, post: Post, attempt: Omit<Attempt, 'keep' | 'committing'>): Promise<Found>;
}
