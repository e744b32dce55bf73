import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { raw, Router, type Request } from 'express';
import { html, renderPage } from '../pages/html.ts';
import type { PlatformSimulation, PlatformName, PlatformStep, PlatformSwitch } from './PlatformSimulation.ts';

export interface PlatformAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Request as a platform's call sees it. */
export interface PlatformApiCall {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
  /** Fields of JSON, a form or a multipart form. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly activeSwitch: PlatformSwitch | undefined;
}

/** Refusal that a platform's call throws. */
export class PlatformRefusal extends Error {
  readonly answer: PlatformAnswer;

  constructor(answer: PlatformAnswer) {
    super(`refused with ${answer.status ?? 200}`);
    this.answer = answer;
  }
}

export interface PlatformOptions {
  readonly simulation: PlatformSimulation;
  readonly name: PlatformName;
  /** Errors that switches can request, as in the platform's documentation. */
  readonly errors: (reset: Date) => Readonly<Record<string, PlatformAnswer>>;
}

type Method = 'get' | 'post' | 'put' | 'delete';

/** Creates the router of one platform. Each call has a step, by which switches find it. */
export function createPlatformRouter({ simulation, name, errors }: PlatformOptions) {
  const router = Router();
  router.use(raw({ type: () => true, limit: '64mb' }));

  const on = (
    method: Method,
    path: string,
    step: PlatformStep,
    handle: (call: PlatformApiCall) => PlatformAnswer | Promise<PlatformAnswer>,
  ): void => {
    router[method](path, async (request, response) => {
      const activeSwitch = simulation.next(name, step);
      if (activeSwitch?.delayMs !== undefined) await delay(activeSwitch.delayMs);
      if (activeSwitch?.cut === true) return void request.socket.destroy();
      const answer = await answerOf(request, activeSwitch, handle);
      if (activeSwitch?.lost === true) return void request.socket.destroy();
      response.status(answer.status ?? 200).set(answer.headers ?? {});
      if (answer.body === undefined) response.end();
      else response.json(answer.body);
    });
  };

  const answerOf = async (
    request: Request,
    activeSwitch: PlatformSwitch | undefined,
    handle: (call: PlatformApiCall) => PlatformAnswer | Promise<PlatformAnswer>,
  ) => {
    if (activeSwitch?.error !== undefined) {
      const reset = new Date(simulation.now().getTime() + (activeSwitch.resetSeconds ?? 900) * 1_000);
      return (
        errors(reset)[activeSwitch.error] ?? { status: 500, body: { error: `unknown error ${activeSwitch.error}` } }
      );
    }
    try {
      return await handle(await read(request, activeSwitch));
    } catch (error) {
      if (error instanceof PlatformRefusal) return error.answer;
      throw error;
    }
  };
  return { router, on };
}

async function read(request: Request, activeSwitch: PlatformSwitch | undefined): Promise<PlatformApiCall> {
  const bytes = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  const type = request.headers['content-type'] ?? '';
  let fields: Record<string, unknown> = {};
  if (type.startsWith('application/json')) fields = JSON.parse(bytes.toString() || '{}') as Record<string, unknown>;
  else if (type.startsWith('application/x-www-form-urlencoded'))
    fields = Object.fromEntries(new URLSearchParams(bytes.toString()));
  else if (type.startsWith('multipart/form-data')) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    fields = Object.fromEntries(form);
  }
  const query = new URL(request.url, 'http://simulator').searchParams;
  return { request, query, fields, bytes, token: tokenOf(request, fields, query), activeSwitch };
}

/** Reads the token from the header or, as Meta's platforms also accept, from a parameter. */
function tokenOf(request: Request, fields: Record<string, unknown>, query: URLSearchParams): string | undefined {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer') return value;
  const named = fields['access_token'] ?? query.get('access_token');
  return typeof named === 'string' ? named : undefined;
}

export const toPlatformText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const clientId = 'nolo';

function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns true if the app authenticates itself, in the header or in the form. */
export function isAppAuthenticated({ request, fields }: PlatformApiCall, secret: string): boolean {
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'basic') return same(Buffer.from(value, 'base64').toString(), `${clientId}:${secret}`);
  return fields['client_id'] === clientId && same(toPlatformText(fields['client_secret']), secret);
}

/**
 * Consumes the code of an exchange, once. Returns true if the redirect address matches and, with a challenge, PKCE's
 * verifier does too.
 */
export function exchangesCode(
  simulation: PlatformSimulation,
  name: PlatformName,
  { fields }: PlatformApiCall,
): boolean {
  const code = simulation.takeCode(toPlatformText(fields['code']));
  if (code?.platform !== name || code.redirectUri !== fields['redirect_uri']) return false;
  if (code.challenge === undefined) return true;
  return createHash('sha256').update(toPlatformText(fields['code_verifier'])).digest('base64url') === code.challenge;
}

/**
 * Renders the page on which a person allows access or not. Both choices are links, because our policy would block
 * redirects of a form.
 */
export function consentPage(
  simulation: PlatformSimulation,
  name: PlatformName,
  title: string,
  query: URLSearchParams,
): string {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!/^https?:/.test(redirectUri) || !URL.canParse(redirectUri))
    throw new PlatformRefusal({ status: 400, body: { error: 'invalid_request' } });
  const code = simulation.newCode({ platform: name, redirectUri, challenge: query.get('code_challenge') ?? undefined });
  const back = (parameters: Record<string, string>) => {
    const url = new URL(redirectUri);
    for (const [key, value] of Object.entries({ ...parameters, state: query.get('state') ?? '' }))
      url.searchParams.set(key, value);
    return url.href;
  };
  const body = html`<main>
    <p class="badge">Simulator</p>
    <h1>${title}</h1>
    <p>The app Nolo requests permission to publish posts for you: ${query.get('scope') ?? 'none'}</p>
    <p><a class="button" id="allow" href="${back({ code })}">Allow</a></p>
    <p>
      <a id="deny" href="${back({ error: 'access_denied', error_description: 'The user denied the request.' })}"
        >Deny</a
      >
    </p>
  </main>`;
  return renderPage({ title, body }).text;
}
