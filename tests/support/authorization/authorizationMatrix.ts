import { routes, type Route, type RouteName } from '@nolo/api';
import { signUpByPhone, TestApi, type TestReply, type TestRequest, type TestUser } from '@nolo/testing';
import {
  insiderRoles,
  outsiderRoles,
  readOwnersView,
  type CanaryKind,
  type AuthorizationCast,
  type CastRole,
} from './authorizationCast.ts';
import { routeExpectations } from './authorizationTable.ts';
import { createMissingParameter, type RouteAttempt } from './routeExpectation.ts';
import type { TestStackAccess } from '../stacks/testStack.ts';

const routeOf = (name: RouteName): Route => routes[name];
/** Number of routes tested between two checks of the owner's data. */
const routesPerCheck = 8;
const withoutSession: readonly CastRole[] = ['anonymous', 'revoked', 'deleted'];

function addressOf({ path }: Route, { id, params, query }: RouteAttempt): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? id ?? ''));
  return query ? `${filled}?${new URLSearchParams(query).toString()}` : filled;
}

/** Returns the complete answer as text. */
export function serializeReply(reply: TestReply): string {
  return `${JSON.stringify([...reply.headers])}\n${typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)}`;
}

function leaksIn(cast: AuthorizationCast, text: string, allowed: readonly CanaryKind[] = []): CanaryKind[] {
  const known = Object.entries(cast.canaries) as [CanaryKind, string][];
  return known.flatMap(([canary, value]) => (allowed.includes(canary) || !text.includes(value) ? [] : [canary]));
}

/** Builds the cookie of the owner's first session, as a browser would send it. */
export function createSessionCookieHeaders(api: TestApi, headers: Record<string, string> = {}): Record<string, string> {
  return { cookie: `nolo_session=${api.token ?? ''}`, ...headers };
}

async function expectedStatus(name: RouteName, role: CastRole): Promise<number> {
  const { expected, withoutSession: statusWithout } = routeExpectations[name];
  if (!withoutSession.includes(role)) return expected[role as keyof typeof expected];
  return routeOf(name).access === 'session' ? 401 : (statusWithout ?? expected.stranger);
}

/** Checks that a successful answer satisfies the route's contract. */
function holdToContract(route: Route, { status, body }: TestReply): void {
  const shape = (status === 202 && route.accepted) || route.reply;
  if (!shape || status >= 300 || status === 204) return;
  const parsedBody = shape.safeParse(body);
  if (parsedBody.success) return;
  const what = parsedBody.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw new Error(`The reply of ${route.method} ${route.path} violates its contract: ${what}`);
}

/** Sends the request with this session. */
async function callAs(api: TestApi, name: RouteName, { body, headers, ...place }: RouteAttempt): Promise<TestReply> {
  const request: TestRequest = { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) };
  const reply = await api.request(routeOf(name).method, addressOf(routeOf(name), place), request);
  holdToContract(routeOf(name), reply);
  return reply;
}

/** Returns true if the answer is a refusal for lack of a recent proof. Sign-in pages have it in their address. */
function isProofRequiredReply({ status, body, headers }: TestReply): boolean {
  const { code } = (body ?? {}) as { code?: unknown };
  const page = status === 302 && new URL(headers.get('location') ?? '', 'http://here').searchParams.get('link_error');
  return page === 'proof_required' || (status === 403 && code === 'proof_required');
}

/**
 * Sends the request of a user whose session was proven a day ago. A route that requires a proof must refuse it, and
 * then gets it with a fresh one; other routes must not ask for a proof.
 */
export async function callWithProof(
  stack: Pick<TestStackAccess, 'prove'>,
  { id, api }: Pick<TestUser, 'id' | 'api'>,
  name: RouteName,
  attempt: RouteAttempt,
): Promise<TestReply> {
  const { proof, proofWith } = routeOf(name);
  await stack.prove(id, 'yesterday');
  try {
    if (proofWith !== undefined) {
      const reply = await callAs(api, name, { ...attempt, ...routeExpectations[name].withProof });
      expect({ name, [proofWith]: isProofRequiredReply(reply) }).toEqual({ name, [proofWith]: true });
    }
    const reply = await callAs(api, name, attempt);
    const isTaken = proof !== undefined && proofWith === undefined;
    expect({ name, asksForProof: isProofRequiredReply(reply) }).toEqual({ name, asksForProof: isTaken });
    if (!isTaken) return reply;
  } finally {
    await stack.prove(id, 'now');
  }
  return await callAs(api, name, attempt);
}

/** Answers of routes to a newcomer, who is nobody's neighbor or member: one stands for all signed-in users. */
const newcomersReplies = new Map<RouteName, TestReply>();

const wantsNewcomer = (name: RouteName, role: CastRole) =>
  routeExpectations[name].byNewcomer === true && !withoutSession.includes(role);

/** Sends the request in the given role. */
async function callRoute(
  { cast, stack }: { cast: AuthorizationCast; stack: TestStackAccess },
  name: RouteName,
  role: CastRole,
  attempt: RouteAttempt,
): Promise<TestReply> {
  if (wantsNewcomer(name, role)) {
    const reply =
      newcomersReplies.get(name) ?? (await callWithProof(stack, await signUpByPhone(cast.baseUrl), name, attempt));
    newcomersReplies.set(name, reply);
    return reply;
  }
  // A user who is no operator is refused for that reason, proven or not.
  const isProven = role === 'owner' && routeOf(name).proof !== 'operator';
  return isProven
    ? await callWithProof(stack, cast.owner, name, attempt)
    : await callAs(cast.apiOf(role), name, attempt);
}

/** Sends the same request for something that does not exist. */
async function callWithoutTarget(
  cast: AuthorizationCast,
  name: RouteName,
  role: CastRole,
  attempt: RouteAttempt,
): Promise<TestReply> {
  const { api } = wantsNewcomer(name, role) ? await signUpByPhone(cast.baseUrl) : { api: cast.apiOf(role) };
  return await callAs(api, name, { ...attempt, id: createMissingParameter(routeOf(name).path) });
}

/** Number of attempts by pages of other sites. */
let callCount = 0;

/** Checks that pages of other sites get nothing with the owner's cookie. */
async function expectRefusedElsewhere(
  cast: AuthorizationCast,
  name: RouteName,
  { body, headers, ...place }: RouteAttempt,
): Promise<void> {
  const { access, method } = routeOf(name);
  if (method === 'GET' || access === 'signed') return;
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    ...(access === 'session' ? [{}, { 'sec-fetch-site': 'none' }] : []),
  ];
  // All routes share this check, which the gateway's own tests cover; each route is tried with one kind in turn.
  const proof = foreign[callCount++ % foreign.length] ?? {};
  const cookies = { ...headers, ...createSessionCookieHeaders(cast.owner.api, proof) };
  const reply = await new TestApi(cast.baseUrl).request(method, addressOf(routeOf(name), place), {
    ...(body === undefined ? {} : { body }),
    headers: cookies,
  });
  const { status, body: answer } = reply;
  expect({ proof, status, code: answer?.code }).toEqual({ proof, status: 403, code: 'origin_refused' });
  expect(reply.headers.get('access-control-allow-origin')).toBeNull();
}

/** Answer to a role, and the one that the table expects. */
interface Answer {
  seen: string;
  wanted: string;
}

async function compared(cast: AuthorizationCast, name: RouteName, role: CastRole, reply: TestReply): Promise<Answer> {
  const leaks = role === 'owner' ? [] : leaksIn(cast, serializeReply(reply), routeExpectations[name].shows?.[role]);
  const body = reply.body as { code?: unknown; message?: unknown } | undefined;
  const shaped = reply.status < 400 || (typeof body?.code === 'string' && typeof body.message === 'string');
  return {
    seen: `${role}: ${reply.status}${shaped ? '' : ` misshapen ${serializeReply(reply)}`} leaks [${leaks.join()}]`,
    wanted: `${role}: ${await expectedStatus(name, role)} leaks []`,
  };
}

/**
 * Groups routes in order, a fixed number at a time. A route that the preparation of another route would spoil has its
 * own group.
 */
function grouped(names: readonly RouteName[]): RouteName[][] {
  const groups: RouteName[][] = [];
  let last: RouteName[] | undefined;
  for (const name of names) {
    const { alone } = routeExpectations[name];
    if (last === undefined || alone || last.length === routesPerCheck) groups.push((last = []));
    last.push(name);
    if (alone) last = undefined;
  }
  return groups;
}

/** Tests some routes between two checks of the owner's data, which no outsider may change. */
class Walk {
  readonly #names: readonly RouteName[];
  /**
   * Attempts that take requests to prepare are prepared once for all: a role that changes nothing leaves them intact.
   */
  readonly #prepared = new Map<RouteName, RouteAttempt>();
  readonly #walked: RouteName[] = [];
  #before: unknown;

  constructor(names: readonly RouteName[]) {
    this.#names = names;
  }

  async begin(cast: AuthorizationCast): Promise<void> {
    if (this.#before !== undefined) return;
    for (const name of this.#names) {
      const made = routeExpectations[name].attempt(cast);
      if (made instanceof Promise) this.#prepared.set(name, await made);
    }
    this.#before = await readOwnersView(cast);
  }

  async attemptAt(name: RouteName, cast: AuthorizationCast): Promise<RouteAttempt> {
    return this.#prepared.get(name) ?? (await routeExpectations[name].attempt(cast));
  }

  async end(name: RouteName, cast: AuthorizationCast): Promise<void> {
    this.#walked.push(name);
    if (name !== this.#names.at(-1)) return;
    const walked = this.#walked;
    expect({ walked, now: await readOwnersView(cast) }).toEqual({ walked, now: this.#before });
  }
}

/**
 * Tests these routes in every role: each gets what the table says, and no data of others. The owner and newcomers were
 * proven a day ago.
 */
export function describeMatrix(
  names: readonly RouteName[],
  castOf: () => AuthorizationCast,
  stackOf: () => TestStackAccess,
): void {
  const walks = grouped(names).flatMap((group) => {
    const walk = new Walk(group);
    return group.map((name) => [name, walk] as const);
  });

  describe.each(walks)('%s', (name, walk) => {
    const { expected } = routeExpectations[name];
    const route = routeOf(name);

    it('answers outsiders as in the table, who see and change nothing, nor do pages of other sites', async () => {
      const cast = castOf();
      await walk.begin(cast);
      const answers: Answer[] = [];
      let missing: TestReply | undefined;
      for (const role of outsiderRoles) {
        const attempt = await walk.attemptAt(name, cast);
        const reply = await callRoute({ cast, stack: stackOf() }, name, role, attempt);
        answers.push(await compared(cast, name, role, reply));
        const signedIn = !withoutSession.includes(role);
        if (!signedIn || !route.params || route.access !== 'session' || expected[role as 'stranger'] !== 404) continue;
        // The answer does not distinguish private resources from missing ones, in any role.
        missing ??= await callWithoutTarget(cast, name, role, attempt);
        expect({ role, status: reply.status, body: reply.body }).toEqual({ role, status: 404, body: missing.body });
      }
      expect(answers.map(({ seen }) => seen)).toEqual(answers.map(({ wanted }) => wanted));
      await expectRefusedElsewhere(cast, name, await walk.attemptAt(name, cast));
      await walk.end(name, cast);
    });
  });

  describe.each(names)('%s', (name) => {
    it('answers insiders as in the table', async () => {
      const cast = castOf();
      const answers: Answer[] = [];
      for (const role of insiderRoles) {
        const attempt = await routeExpectations[name].attempt(cast);
        const reply = await callRoute({ cast, stack: stackOf() }, name, role, attempt);
        answers.push(await compared(cast, name, role, reply));
      }
      expect(answers.map(({ seen }) => seen)).toEqual(answers.map(({ wanted }) => wanted));
    });
  });
}
