import { randomUUID } from 'node:crypto';
import type { TestRequest } from '@nolo/testing';
import type { AuthorizationCast, CanaryKind, CastRole } from './authorizationCast.ts';

/** Expectations of a route: how each role asks for it, and what it gets. */

export interface RouteAttempt extends TestRequest {
  /** Value of the path parameter. */
  id?: string;
  /** Values of further path parameters. */
  params?: Record<string, string>;
  query?: Record<string, string>;
}

/** Statuses for everyone who is signed in; all others get 401 if the route requires a session. */
export type SignedInStatuses = Record<Exclude<CastRole, 'anonymous' | 'revoked' | 'deleted'>, number>;

export interface RouteExpectation {
  /**
   * Builds a request for something of the owner's; new for each role, but only once for all outsiders if it takes
   * requests.
   */
  attempt: (cast: AuthorizationCast) => RouteAttempt | Promise<RouteAttempt>;
  expected: SignedInStatuses;
  /** True if preparing another route deletes or replaces its target. */
  alone?: true;
  /** Status of public routes without a session. Absent: the same as for everyone else. */
  withoutSession?: number;
  /** True if the request acts on the account or session that sends it, so a newcomer sends it. */
  byNewcomer?: true;
  /** Fields that make the request need a proof, on a route that requires one only with some field. */
  withProof?: Partial<RouteAttempt>;
  /** Status for an operator of the installation, if it differs. */
  operator?: number;
  /** Canaries of the owner that the answer may contain. The owner may see everything. */
  shows?: Partial<Record<CastRole, readonly CanaryKind[]>>;
}

/** Returns the same status for everyone who is signed in. */
export const all = (status: number): SignedInStatuses => ({
  stranger: status,
  neighbour: status,
  removed: status,
  blocked: status,
  coHost: status,
  member: status,
  owner: status,
});
/** Returns a status for the owner and the member, and another one for everyone else. */
export const insiders = (status: number, outside = 404): SignedInStatuses => ({
  ...all(outside),
  member: status,
  owner: status,
});
/** Returns a status for the owner, and another one for everyone else. */
export const ownerOnly = (status: number, outside = 404): SignedInStatuses => ({ ...all(outside), owner: status });

/** Returns a request without parameters or body. */
export const nothing = () => ({});

/** Id of nothing. */
export const unknownId = randomUUID();

/** Returns a path parameter that is well formed but matches nothing. */
export function createMissingParameter(path: string): string {
  return /\{(roomCode|code)\}/.test(path) ? 'ZZZZZZ' : unknownId;
}
