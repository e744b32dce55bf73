import { routes, type Route, type RouteName } from '@nolo/api';
import { signUpByPhone, TestApi, type TestReply, type TestRequest } from '@nolo/testing';
import { insiders, outsiders, ownersView, type Canary, type Cast, type Role } from './authorizationCast.ts';
import { expectations, nothingAt, type Attempt } from './authorizationTable.ts';

const routeOf = (name: RouteName): Route => routes[name];
/** So many routes in a row are walked between one look at what the owner has and the next. */
const routesPerLook = 8;
const withoutSession: readonly Role[] = ['anonymous', 'revoked', 'deleted'];

function addressOf({ path }: Route, { id, params, query }: Attempt): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? id ?? ''));
  return query ? `${filled}?${new URLSearchParams(query).toString()}` : filled;
}

/** As text, with everything that the answer tells. */
export function said(reply: TestReply): string {
  return `${JSON.stringify([...reply.headers])}\n${typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body)}`;
}

function leaksIn(cast: Cast, text: string, allowed: readonly Canary[] = []): Canary[] {
  const known = Object.entries(cast.canaries) as [Canary, string][];
  return known.flatMap(([canary, value]) => (allowed.includes(canary) || !text.includes(value) ? [] : [canary]));
}

/** Of the owner's first session, as a browser would send it. */
export function asCookie(api: TestApi, headers: Record<string, string> = {}): Record<string, string> {
  return { cookie: `nolo_session=${api.token ?? ''}`, ...headers };
}

async function expectedStatus(name: RouteName, role: Role): Promise<number> {
  const { expected, withoutSession: statusWithout } = expectations[name];
  if (!withoutSession.includes(role)) return expected[role as keyof typeof expected];
  return routeOf(name).access === 'session' ? 401 : (statusWithout ?? expected.stranger);
}

/** The request as whoever has this session makes it. */
export function askAs(api: TestApi, name: RouteName, { body, headers, ...place }: Attempt): Promise<TestReply> {
  const request: TestRequest = { ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) };
  return api.request(routeOf(name).method, addressOf(routeOf(name), place), request);
}

/** The request as the role makes it. */
async function ask(cast: Cast, name: RouteName, role: Role, attempt: Attempt): Promise<TestReply> {
  const newcomer = expectations[name].byNewcomer && !withoutSession.includes(role);
  const api = newcomer ? (await signUpByPhone(cast.baseUrl)).api : cast.apiOf(role);
  return askAs(api, name, attempt);
}

/** How often pages of other sites have tried. */
let asked = 0;

/** Pages of other sites reach nothing with the owner's cookie. */
async function expectRefusedElsewhere(
  cast: Cast,
  name: RouteName,
  { body, headers, ...place }: Attempt,
): Promise<void> {
  const { access, method } = routeOf(name);
  if (method === 'GET' || access === 'signed') return;
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    ...(access === 'session' ? [{}, { 'sec-fetch-site': 'none' }] : []),
  ];
  // The door is the same for all of them, and is proven by the gateway's own tests: each route is asked by one in turn.
  const proof = foreign[asked++ % foreign.length] ?? {};
  const cookies = { ...headers, ...asCookie(cast.owner.api, proof) };
  const reply = await new TestApi(cast.baseUrl).request(method, addressOf(routeOf(name), place), {
    ...(body === undefined ? {} : { body }),
    headers: cookies,
  });
  const { status, body: answer } = reply;
  expect({ proof, status, code: answer?.code }).toEqual({ proof, status: 403, code: 'origin_refused' });
  expect(reply.headers.get('access-control-allow-origin')).toBeNull();
}

/** What a role got, and what the table says that it gets. */
interface Answer {
  seen: string;
  wanted: string;
}

async function compared(cast: Cast, name: RouteName, role: Role, reply: TestReply): Promise<Answer> {
  const leaks = role === 'owner' ? [] : leaksIn(cast, said(reply), expectations[name].shows?.[role]);
  const body = reply.body as { code?: unknown; message?: unknown } | undefined;
  const shaped = reply.status < 400 || (typeof body?.code === 'string' && typeof body.message === 'string');
  return {
    seen: `${role}: ${reply.status}${shaped ? '' : ` misshapen ${said(reply)}`} leaks [${leaks.join()}]`,
    wanted: `${role}: ${await expectedStatus(name, role)} leaks []`,
  };
}

/** Walks these routes as everybody: each gets what the table says, and nothing of what is others'. */
export function describeMatrix(names: readonly RouteName[], castOf: () => Cast): void {
  /** All that the owner had when somebody looked last, and the routes that changed nothing of it if it is the same. */
  let lastLook: unknown;
  let since: RouteName[] = [];
  const look = async (cast: Cast) => {
    const now = await ownersView(cast);
    if (lastLook !== undefined) expect({ since, now }).toEqual({ since, now: lastLook });
    lastLook = now;
    since = [];
  };

  describe.each(names)('%s', (name) => {
    const { expected, attempt: prepare } = expectations[name];
    const route = routeOf(name);

    // What takes requests to prepare is prepared once for all of them: whoever changes nothing leaves it as it was.
    it('answers those outside as the table says, who see and change nothing, nor do pages of other sites', async () => {
      const cast = castOf();
      // What was walked until now is looked at before something of the owner's is made.
      if (prepare.constructor.name === 'AsyncFunction' && since.length > 0) await look(cast);
      const made = prepare(cast);
      const prepared = made instanceof Promise ? await made : undefined;
      if (prepared) {
        expect(since).toEqual([]);
        lastLook = undefined;
      }
      if (lastLook === undefined) await look(cast);
      since.push(name);
      const answers: Answer[] = [];
      let missing: TestReply | undefined;
      for (const role of outsiders) {
        const attempt = prepared ?? (await prepare(cast));
        const reply = await ask(cast, name, role, attempt);
        answers.push(await compared(cast, name, role, reply));
        const signedIn = !withoutSession.includes(role);
        if (!signedIn || !route.params || route.access !== 'session' || expected[role as 'stranger'] !== 404) continue;
        // It does not tell what is private from what does not exist, whoever asks.
        missing ??= await ask(cast, name, role, { ...attempt, id: nothingAt(route.path) });
        expect({ role, status: reply.status, body: reply.body }).toEqual({ role, status: 404, body: missing.body });
      }
      expect(answers.map(({ seen }) => seen)).toEqual(answers.map(({ wanted }) => wanted));
      await expectRefusedElsewhere(cast, name, await made);
      // One look suffices for some routes; what takes something of the owner's to prepare is looked at by itself.
      if (prepared || since.length >= routesPerLook || name === names.at(-1)) await look(cast);
    });
  });

  describe.each(names)('%s', (name) => {
    it('answers those inside as the table says', async () => {
      const cast = castOf();
      const answers: Answer[] = [];
      for (const role of insiders) {
        const reply = await ask(cast, name, role, await expectations[name].attempt(cast));
        answers.push(await compared(cast, name, role, reply));
      }
      expect(answers.map(({ seen }) => seen)).toEqual(answers.map(({ wanted }) => wanted));
    });
  });
}
