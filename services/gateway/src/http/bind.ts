import type { Accepted, Body, Params, Query, Reply, Route } from '@nolo/api';
import { internalError, type AppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Device } from '@nolo/proto/identity';
import { writtenLanguages } from '@nolo/rules';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import { logError, toAppError } from './errorReply.ts';
import { createBodyReader } from './readBody.ts';
import { countRefusal } from './metrics.ts';
import type { Actor } from './session.ts';
import { invalidInput, parsePart, type InputIssue } from './validate.ts';
import { createRequestAdmission } from './admission.ts';

/** One request of a route of the table, checked as far as the table says. */
export interface Call<R extends Route> {
  readonly params: Params<R>;
  readonly query: Query<R>;
  readonly body: Body<R>;
  /** Present for routes with access `session`. */
  readonly actor: R['access'] extends 'session' ? Actor : undefined;
  /** The device that asks, for sign-ins and for limits per address. */
  readonly device: Device;
  /** Goes with every internal call, so that the request can be followed. */
  readonly rpc: RpcCallOptions;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Answers with what is sent as JSON; a handler of bytes or of a redirect writes the response itself. Where the route
 * may be answered with 202, the handler says so by setting that status.
 */
export type Handler<R extends Route> = (
  call: Call<R>,
) => Promise<Reply<R> extends undefined ? void : Reply<R> | Accepted<R>>;

export interface BindOptions {
  /** A better error than the general one for what is wrong with the input. */
  explain?: (issues: readonly InputIssue[]) => AppError | undefined;
  /** For addresses that people navigate to: the page that tells of an error. Clients that want no page get the error. */
  errorPage?: (error: AppError) => string;
}

export type Bind = <const R extends Route>(route: R, handler: Handler<R>, options?: BindOptions) => void;

/** The first of the languages that a browser asks for in which Nolo writes; English where it asks for none of them. */
const languageAsked = (request: Request): string =>
  (request.headers['accept-language'] && request.acceptsLanguages([...writtenLanguages])) || 'en';

type Asked = Pick<Call<Route>, 'device' | 'rpc' | 'request' | 'response'>;

/** `/api/users/{id}` as express writes it. */
export function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id') ?? '');
}

/**
 * Ties routes of the table to their handlers. In this order: who asks, whether they may from where they ask, how often,
 * what they ask for; then the handler; then the answer.
 */
export function createBind(app: Express, edge: Edge): { bind: Bind; refuseOtherMethods(): void } {
  const methodsOf = new Map<string, Set<string>>();
  const admit = createRequestAdmission(edge);

  const answer = (route: Route, response: Response, reply: unknown) => {
    if (response.headersSent || response.writableEnded) return;
    if (route.status === 204) {
      response.status(204).end();
      return;
    }
    const accepted = response.statusCode === 202 ? route.accepted : undefined;
    const shape = accepted ?? route.reply;
    if (shape && edge.validateReplies) {
      const held = shape.safeParse(reply);
      if (!held.success) {
        const what = held.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
        throw internalError(new Error(`The reply of ${route.method} ${route.path} breaks its contract: ${what}`));
      }
    }
    response.status(accepted ? 202 : (route.status ?? 200)).json(reply);
  };

  const bind: Bind = (route, handler, options = {}) => {
    const path = expressPath(route.path);
    const methods = methodsOf.get(path) ?? new Set<string>();
    methods.add(route.method);
    // A HEAD changes nothing (RFC 9110 section 9.2.1): previews and scanners of links ask with it.
    const takesHead = route.method === 'GET' && route.changes !== true && route.followed !== true;
    if (takesHead) methods.add('HEAD');
    methodsOf.set(path, methods);

    const readBody = createBodyReader(route);
    const serve = async (request: Request, response: Response): Promise<void> => {
      response.locals['route'] = route.path;
      const rpc = { requestId: requestIdOf(response) };
      const device = {
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
        address: edge.addressOf(request),
        language: languageAsked(request),
      };
      const actor = await admit(route, request, device.address, rpc);
      const work = () => serveAdmitted(actor, { device, rpc, request, response });
      if (route.limit === undefined) return await work();
      if (actor !== undefined && !route.limit.endsWith('PerAddress')) {
        return await edge.limits.within(actor.userId, route.limit, work);
      }
      await edge.limits.consume(route.limit, device.address);
      return await work();
    };
    const serveAdmitted = async (actor: Actor | undefined, asked: Asked): Promise<void> => {
      const { request, response } = asked;
      const issues: InputIssue[] = [];
      const params = parsePart(route.params, 'params', request.params, issues);
      const query = parsePart(route.query, 'query', request.query, issues);
      const body = route.body ? parsePart(route.body, 'body', await readBody(request, response), issues) : undefined;
      if (issues.length > 0) throw options.explain?.(issues) ?? invalidInput(issues);
      // The table's schemas have just established these types.
      const call = { params, query, body, actor, ...asked };
      answer(route, response, await handler(call as unknown as Parameters<typeof handler>[0]));
    };
    // What it throws, express hands on to the error handler.
    const listener: RequestHandler = async (request, response) => {
      try {
        await serve(request, response);
      } catch (thrown) {
        const error = toAppError(thrown);
        const wantsPage = request.headers.accept?.includes('text/html') === true;
        const page = wantsPage ? options.errorPage?.(error) : undefined;
        if (page === undefined || response.headersSent) throw thrown;
        countRefusal(edge.metrics, error);
        logError(error, thrown, edge.log.child({ requestId: requestIdOf(response) }));
        response.redirect(302, page);
      }
    };

    switch (route.method) {
      case 'GET':
        app.get(path, (request, response, next) =>
          request.method === 'HEAD' && !takesHead ? next() : listener(request, response, next),
        );
        break;
      case 'POST':
        app.post(path, listener);
        break;
      case 'PUT':
        app.put(path, listener);
        break;
      case 'PATCH':
        app.patch(path, listener);
        break;
      case 'DELETE':
        app.delete(path, listener);
        break;
    }
  };

  const refuseOtherMethods = () => {
    for (const [path, methods] of methodsOf) {
      const allow = [...methods, 'OPTIONS'].join(', ');
      app.all(path, (request, response, next) => {
        response.locals['route'] ??= path;
        response.setHeader('Allow', allow);
        if (request.method === 'OPTIONS') response.status(204).end();
        else next(failGateway('invalid', 'method_not_allowed', `${request.method} is not possible here.`));
      });
    }
  };

  return { bind, refuseOtherMethods };
}
