import type * as z from 'zod/mini';
import type { RateLimitName, ReplyContent, TokenScope } from '@nolo/rules';

type Schema = z.ZodMiniType;

/**
 * Describes one route of the REST API. The gateway validates with it, the web infers types from it, and the OpenAPI
 * document and the authorization matrix are generated from it.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with parameters in braces: `/api/conversations/{id}/messages`. */
  readonly path: string;
  readonly summary: string;
  /** `public` needs no session, `session` needs one, and `signed` carries its own proof in the URL. */
  readonly access: 'public' | 'session' | 'signed';
  /** Scope that a personal access token needs. A session route without a scope accepts no token. */
  readonly scope?: TokenScope;
  readonly tag:
    | 'session'
    | 'keys'
    | 'tokens'
    | 'users'
    | 'contacts'
    | 'conversations'
    | 'groups'
    | 'files'
    | 'meetings'
    | 'calls'
    | 'status'
    | 'social'
    | 'billing'
    | 'admin'
    | 'webhooks'
    | 'notifications'
    | 'system';
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Example of a JSON body for the API documentation. */
  readonly example?: unknown;
  /** Maximum bytes of a JSON body. Default: 256 KiB. */
  readonly bodyBytes?: number;
  /** Maximum entries of all objects and lists in a JSON body. Default: `limits.jsonEntries`. */
  readonly bodyEntries?: number;
  /** Media type of a body of bytes instead of JSON. */
  readonly bodyType?: string;
  /** Maximum length of a body that is passed on byte for byte, because its signature covers the raw bytes. */
  readonly rawBytes?: number;
  /** Field of a multipart/form-data body that carries the single file. */
  readonly fileField?: string;
  /** Fields of a multipart/form-data body that carries more than a file. */
  readonly form?: Schema;
  /** Absent if the answer is a redirect, bytes or empty. */
  readonly reply?: Schema;
  /** Status of a successful answer. Default: 200. */
  readonly status?: 200 | 201 | 204 | 302;
  /** Answer with status 202: accepted, but another user must agree first. */
  readonly accepted?: Schema;
  /** Content in the body: clients that seal send it as `envelope` (ADR 39). */
  readonly seals?: 'message' | 'status';
  /** Place of the content in the answer: clients that open envelopes get it as stored. */
  readonly opens?: ReplyContent;
  readonly limit?: RateLimitName;
  /**
   * Recent proof that the route requires (decision 38): from the account's owner, or from an operator. The service that
   * owns the resource checks it, and refuses with the codes of `proofErrors`.
   */
  readonly proof?: 'account' | 'operator';
  /** Query or body field without which the route needs no proof: `link`. */
  readonly proofWith?: string;
  /**
   * True if the route also accepts sessions of an account that is closed pending deletion. All other routes refuse
   * them: account_closed.
   */
  readonly whileClosed?: true;
  /** True for a GET that changes state because a third-party protocol requires it. No other origin may call it. */
  readonly changes?: true;
  /** True for a GET that changes state and that browsers reach from a page of another origin. */
  readonly followed?: true;
  /** Error codes beyond those that every route can return and those of its proof; see `errorCodesOf`. */
  readonly errors?: readonly string[];
}

/** Error codes of routes that require a proof. */
const proofErrors: Readonly<Record<NonNullable<Route['proof']>, readonly string[]>> = {
  account: ['proof_required', 'proof_unavailable'],
  operator: ['not_operator', 'proof_required', 'proof_unavailable'],
};

/** Returns the error codes of a route beyond those that every route can return. */
export const errorCodesOf = ({ proof, errors = [] }: Route): readonly string[] => [
  ...(proof ? proofErrors[proof] : []),
  ...errors,
];

/** Preserves the literal types of a route, so that the types of its schemas can be inferred. */
export function defineRoute<const R extends Route>(description: R): R {
  return description;
}

export type RouteParams<R extends Route> = R['params'] extends Schema ? z.output<R['params']> : Record<never, never>;
export type RouteQuery<R extends Route> = R['query'] extends Schema ? z.output<R['query']> : Record<never, never>;
export type RouteQueryInput<R extends Route> = R['query'] extends Schema ? z.input<R['query']> : undefined;
export type RouteBody<R extends Route> = R['body'] extends Schema ? z.output<R['body']> : undefined;
export type RouteBodyInput<R extends Route> = R['body'] extends Schema ? z.input<R['body']> : undefined;
/** Answer with status 202, if the route has one. */
export type AcceptedReply<R extends Route> = R['accepted'] extends Schema ? z.output<R['accepted']> : never;
export type RouteReply<R extends Route> = R['reply'] extends Schema ? z.output<R['reply']> : undefined;
