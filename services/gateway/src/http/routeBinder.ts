import type { AcceptedReply, RouteBody, RouteParams, RouteQuery, RouteReply, Route, Sealed } from '@nolo/api';
import { createInternalError, type AppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Device } from '@nolo/proto/identity';
import { supportedLanguages } from '@nolo/rules';
import type { Express, Request, RequestHandler, Response } from 'express';
import { openReply } from '../domain/messageContent.ts';
import { createGatewayError, createInvalidInputError, type InputIssue } from '../errors.ts';
import { opensEnvelopes } from './contentForm.ts';
import { logError, toClientError } from './errorReply.ts';
import type { HttpContext } from './httpContext.ts';
import { createBodyReader } from './readBody.ts';
import { countRateLimited } from './metrics.ts';
import type { RequestActor } from './sessionAuthenticator.ts';
import { parseSection } from './validate.ts';
import { createRequestAdmission } from './admission.ts';

/** Request of a route in the table, validated according to the table. */
export interface RouteCall<R extends Route> {
  readonly params: RouteParams<R>;
  readonly query: RouteQuery<R>;
  readonly body: RouteBody<R>;
  /** Authenticated actor. Present for routes with access `session`. */
  readonly actor: R['access'] extends 'session' ? RequestActor : undefined;
  /** Requesting device, for sign-ins and for limits per address. */
  readonly device: Device;
  /** Options for every internal call, so that the request can be traced. */
  readonly rpc: RpcCallOptions;
  readonly request: Request;
  readonly response: Response;
}

/** Answer of a handler. Contents are as stored; the binder opens them for simple clients. */
type HandlerReply<R extends Route> = R extends { readonly opens: string } ? Sealed<RouteReply<R>> : RouteReply<R>;

/**
 * Returns the data to send as JSON. A handler of bytes or of a redirect writes the response itself. If the route
 * supports 202, the handler sets that status.
 */
type RouteHandler<R extends Route> = (
  call: RouteCall<R>,
) => Promise<RouteReply<R> extends undefined ? void : HandlerReply<R> | AcceptedReply<R>>;

interface BindOptions {
  /** Returns a more specific error for invalid input than the general one. */
  explain?: (issues: readonly InputIssue[]) => AppError | undefined;
  /** Renders an error page for URLs that people navigate to. Clients that do not accept a page get the error. */
  errorPage?: (error: AppError) => string;
}

export type BindRoute = <const R extends Route>(route: R, handler: RouteHandler<R>, options?: BindOptions) => void;

/** Returns the browser's first preferred language that Nolo writes; English if it has none. */
const requestedLanguage = (request: Request): string =>
  (request.headers['accept-language'] && request.acceptsLanguages([...supportedLanguages])) || 'en';

type AdmittedRequest = Pick<RouteCall<Route>, 'device' | 'rpc' | 'request' | 'response'>;

/** Converts `/api/users/{id}` to express's syntax. */
export function toExpressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id') ?? '');
}

/**
 * Binds routes of the table to their handlers. The order: authentication, origin check, rate limits, input validation,
 * the handler, the reply.
 */
export function createRouteBinder(app: Express, context: HttpContext): { bind: BindRoute; refuseOtherMethods(): void } {
  const methodsOf = new Map<string, Set<string>>();
  const admit = createRequestAdmission(context);

  const answer = (route: Route, { request, response }: AdmittedRequest, reply: unknown) => {
    if (response.headersSent || response.writableEnded) return;
    if (route.status === 204) {
      response.status(204).end();
      return;
    }
    const accepted = response.statusCode === 202 ? route.accepted : undefined;
    const shape = accepted ?? route.reply;
    const place = accepted ? undefined : route.opens;
    const isSealed = place !== undefined && opensEnvelopes(request);
    if (place !== undefined && !isSealed) openReply(place, reply);
    if (shape && context.validateReplies) {
      const checked = isSealed ? structuredClone(reply) : reply;
      if (isSealed) openReply(place, checked);
      const parsedReply = shape.safeParse(checked);
      if (!parsedReply.success) {
        const what = parsedReply.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
        throw createInternalError(
          new Error(`The reply of ${route.method} ${route.path} violates its contract: ${what}`),
        );
      }
    }
    response.status(accepted ? 202 : (route.status ?? 200)).json(reply);
  };

  const bind: BindRoute = (route, handler, options = {}) => {
    const path = toExpressPath(route.path);
    const methods = methodsOf.get(path) ?? new Set<string>();
    methods.add(route.method);
    // A HEAD changes nothing (RFC 9110 section 9.2.1): previews and link scanners use it.
    const takesHead = route.method === 'GET' && route.changes !== true && route.followed !== true;
    if (takesHead) methods.add('HEAD');
    methodsOf.set(path, methods);

    const readBody = createBodyReader(route);
    const serve = async (request: Request, response: Response): Promise<void> => {
      response.locals['route'] = route.path;
      const rpc = { requestId: requestIdOf(response) };
      const device = {
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
        address: context.addressOf(request),
        language: requestedLanguage(request),
      };
      const actor = await admit(route, request, device.address, rpc);
      const work = () => serveAdmitted(actor, { device, rpc, request, response });
      if (route.limit === undefined) return await work();
      // A session has at most one device, and each device a budget of its own.
      if (actor !== undefined && route.limit.includes('PerDevice')) {
        await context.limits.consume(route.limit, actor.sessionId);
        return await work();
      }
      if (actor !== undefined && !route.limit.endsWith('PerAddress')) {
        return await context.limits.within(actor.userId, route.limit, work);
      }
      await context.limits.consume(route.limit, device.address);
      return await work();
    };
    const serveAdmitted = async (actor: RequestActor | undefined, admittedRequest: AdmittedRequest): Promise<void> => {
      const { request, response } = admittedRequest;
      const issues: InputIssue[] = [];
      const params = parseSection(route.params, 'params', request.params, issues);
      const query = parseSection(route.query, 'query', request.query, issues);
      const body = route.body ? parseSection(route.body, 'body', await readBody(request, response), issues) : undefined;
      if (issues.length > 0) throw options.explain?.(issues) ?? createInvalidInputError(issues);
      // The table's schemas have just validated these types.
      const call = { params, query, body, actor, ...admittedRequest };
      answer(route, admittedRequest, await handler(call as unknown as Parameters<typeof handler>[0]));
    };
    // Errors thrown here are passed to the error handler by express.
    const listener: RequestHandler = async (request, response) => {
      try {
        await serve(request, response);
      } catch (thrown) {
        const error = toClientError(thrown);
        const wantsPage = request.headers.accept?.includes('text/html') === true;
        const page = wantsPage ? options.errorPage?.(error) : undefined;
        if (page === undefined || response.headersSent) throw thrown;
        countRateLimited(context.metrics, error);
        logError(error, thrown, context.log.child({ requestId: requestIdOf(response) }));
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
        else next(createGatewayError('invalid', 'method_not_allowed', `${request.method} is not supported here.`));
      });
    }
  };

  return { bind, refuseOtherMethods };
}
