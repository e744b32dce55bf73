import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { raw, Router, type Request } from 'express';
import { html, page } from '../pages/html.ts';
import type { PlatformDesk, PlatformName, Step, Switch } from './PlatformDesk.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Request as a platform's call sees it. */
export interface Asked {
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly token: string | undefined;
  /** Fields of JSON, a form or a multipart form. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly told: Switch | undefined;
}

/** Refusal that a platform's call throws. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`refused with ${answer.status ?? 200}`);
    this.answer = answer;
  }
}

export interface PlatformOptions {
  readonly desk: PlatformDesk;
  readonly name: PlatformName;
  /** Errors that switches can request, as in the platform's documentation. */
  readonly errors: (reset: Date) => Readonly<Record<string, Answer>>;
}

type Method = 'get' | 'post' | 'put' | 'delete';

/** Creates the router of one platform. Each call has a step, by which switches find it. */
export function createPlatformRouter({ desk, name, errors }: PlatformOptions) {
  const router = Router();
  router.use(raw({ type: () => true, limit: '64mb' }));

  const on = (method: Method, path: string, step: Step, handle: (asked: Asked) => Answer | Promise<Answer>): void => {
    router[method](path, async (request, response) => {
      const told = desk.next(name, step);
      if (told?.delayMs !== undefined) await delay(told.delayMs);
      if (told?.cut === true) return void request.socket.destroy();
      const answer = await answerOf(request, told, handle);
      if (told?.lost === true) return void request.socket.destroy();
      response.status(answer.status ?? 200).set(answer.headers ?? {});
      if (answer.body === undefined) response.end();
      else response.json(answer.body);
    });
  };

  const answerOf = async (
    request: Request,
    told: Switch | undefined,
    handle: (asked: Asked) => Answer | Promise<Answer>,
  ) => {
    if (told?.error !== undefined) {
      const reset = new Date(desk.now().getTime() + (told.resetSeconds ?? 900) * 1_000);
      return errors(reset)[told.error] ?? { status: 500, body: { error: `unknown error ${told.error}` } };
    }
    try {
      return await handle(await read(request, told));
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  };
  return { router, on };
}

async function read(request: Request, told: Switch | undefined): Promise<Asked> {
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
  return { request, query, fields, bytes, token: tokenOf(request, fields, query), told };
}

/** Reads the token from the header or, as Meta's platforms also accept, from a parameter. */
function tokenOf(request: Request, fields: Record<string, unknown>, query: URLSearchParams): string | undefined {
  const [scheme, value] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'bearer') return value;
  const named = fields['access_token'] ?? query.get('access_token');
  return typeof named === 'string' ? named : undefined;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const clientId = 'nolo';

function same(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Returns true if the app authenticates itself, in the header or in the form. */
export function provesItself({ request, fields }: Asked, secret: string): boolean {
  const [scheme, value = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme?.toLowerCase() === 'basic') return same(Buffer.from(value, 'base64').toString(), `${clientId}:${secret}`);
  return fields['client_id'] === clientId && same(textOf(fields['client_secret']), secret);
}

/**
 * Consumes the code of an exchange, once. Returns true if the redirect address matches and, with a challenge, PKCE's
 * verifier does too.
 */
export function takesCode(desk: PlatformDesk, name: PlatformName, { fields }: Asked): boolean {
  const code = desk.takeCode(textOf(fields['code']));
  if (code?.platform !== name || code.redirectUri !== fields['redirect_uri']) return false;
  if (code.challenge === undefined) return true;
  return createHash('sha256').update(textOf(fields['code_verifier'])).digest('base64url') === code.challenge;
}

/**
 * Renders the page on which a person allows access or not. Both choices are links, because our policy would block
 * redirects of a form.
 */
export function consentPage(desk: PlatformDesk, name: PlatformName, title: string, query: URLSearchParams): string {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!/^https?:/.test(redirectUri) || !URL.canParse(redirectUri))
    throw new Refusal({ status: 400, body: { error: 'invalid_request' } });
  const code = desk.newCode({ platform: name, redirectUri, challenge: query.get('code_challenge') ?? undefined });
  const back = (parameters: Record<string, string>) => {
    const url = new URL(redirectUri);
    for (const [key, value] of Object.entries({ ...parameters, state: query.get('state') ?? '' }))
      url.searchParams.set(key, value);
    return url.href;
  };
  const body = html`<main>
    <p class="badge">Simulator</p>
    <h1>${title}</h1>
    <p>An app called Nolo wants to publish posts for you. It asks for: ${query.get('scope') ?? 'nothing'}</p>
    <p><a class="button" id="allow" href="${back({ code })}">Allow</a></p>
    <p>
      <a id="deny" href="${back({ error: 'access_denied', error_description: 'The user denied the request.' })}"
        >Deny</a
      >
    </p>
  </main>`;
  return page({ title, body }).text;
}
