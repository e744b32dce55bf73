import type * as z from 'zod/mini';
import type { RateLimitName, TokenScope } from '@nolo/rules';

type Schema = z.ZodMiniType;

/**
 * One route of the REST edge: the single description from which the gateway validates, the web infers its types, the
 * OpenAPI document is made and the authorization matrix is generated.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With parameters in braces: `/api/conversations/{id}/messages`. */
  readonly path: string;
  readonly summary: string;
  /** `public` needs no session; `session` does; `signed` carries its own proof in the address. */
  readonly access: 'public' | 'session' | 'signed';
  /** What a personal access token must be allowed; a route with a session and without a scope takes none at all. */
  readonly scope?: TokenScope;
  readonly tag:
    | 'session'
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
  /** What somebody might send as JSON body, for the document of the API. */
  readonly example?: unknown;
  /** Bytes of a JSON body; 256 KiB when absent. */
  readonly bodyBytes?: number;
  /** Entries of all objects and lists in a JSON body; `limits.jsonEntries` when absent. */
  readonly bodyEntries?: number;
  /** A body of bytes instead of JSON: its media type. */
  readonly bodyType?: string;
  /** Of such a body that is handed on byte for byte, because it is signed as it is: how long it may be. */
  readonly rawBytes?: number;
  /** Of a multipart/form-data body: the field that carries the one file. */
  readonly fileField?: string;
  /** Of a multipart/form-data body with more than that: its fields. */
  readonly form?: Schema;
  /** Absent where the answer is a redirect, bytes or empty. */
  readonly reply?: Schema;
  /** Status of a successful answer; 200 when absent. */
  readonly status?: 200 | 201 | 204 | 302;
  /** Answered with 202 where it was taken and somebody else has to agree first. */
  readonly accepted?: Schema;
  readonly limit?: RateLimitName;
  /**
   * Whose fresh proof the route takes (decision 38): that the account's owner asks, or that an operator does. The service
   * that owns what is asked for checks it, and refuses with the codes of `proofErrors`.
   */
  readonly proof?: 'account' | 'operator';
  /** The field of the query or the body without which the route takes no proof: `link`. */
  readonly proofWith?: string;
  /** Also with a session of an account that is closed to be deleted, in which all else is refused: account_closed. */
  readonly whileClosed?: true;
  /** Changes something although it is a GET, as a protocol that is not ours has it: no page elsewhere may make it. */
  readonly changes?: true;
  /** Browsers come to it from a page elsewhere, and it changes something although it is a GET. */
  readonly followed?: true;
  /** Error codes beyond those that every route may answer, and those of its proof; see `errorsOf`. */
  readonly errors?: readonly string[];
}

/** Why a route with a proof is refused. */
const proofErrors: Readonly<Record<NonNullable<Route['proof']>, readonly string[]>> = {
  account: ['proof_required', 'proof_unavailable'],
  operator: ['not_operator', 'proof_required', 'proof_unavailable'],
};

/** Error codes of a route beyond those that every route may answer. */
export const errorsOf = ({ proof, errors = [] }: Route): readonly string[] => [
  ...(proof ? proofErrors[proof] : []),
  ...errors,
];

/** Keeps the literal types of a route, so that its schemas' types can be inferred. */
export function route<const R extends Route>(description: R): R {
  return description;
}

export type Params<R extends Route> = R['params'] extends Schema ? z.output<R['params']> : Record<never, never>;
export type Query<R extends Route> = R['query'] extends Schema ? z.output<R['query']> : Record<never, never>;
export type QueryInput<R extends Route> = R['query'] extends Schema ? z.input<R['query']> : undefined;
export type Body<R extends Route> = R['body'] extends Schema ? z.output<R['body']> : undefined;
export type BodyInput<R extends Route> = R['body'] extends Schema ? z.input<R['body']> : undefined;
/** The answer with status 202, where the route has one. */
export type Accepted<R extends Route> = R['accepted'] extends Schema ? z.output<R['accepted']> : never;
export type Reply<R extends Route> = R['reply'] extends Schema ? z.output<R['reply']> : undefined;
