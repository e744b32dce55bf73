import type { AcceptedReply, RouteBodyInput, RouteParams, RouteQueryInput, RouteReply, Route } from '@nolo/api';
import { nextCursorHeader } from '@nolo/api';
import { contentFormHeader, sealedForm } from '@nolo/rules';
import type { Content } from '../content/content.ts';
import type { SendRequest } from './request.ts';
import { ApiError } from './request.ts';

export interface CallOptions<R extends Route> {
  params?: RouteParams<R>;
  query?: RouteQueryInput<R>;
  body?: RouteBodyInput<R>;
  signal?: AbortSignal;
  /** Timeout in milliseconds; null for none. */
  timeoutMs?: number | null;
}

type Values = Record<string, string | number | boolean | undefined>;

/** Options of a call to any route. */
interface AnyCallOptions {
  params?: Values;
  query?: Values;
  body?: object;
  signal?: AbortSignal;
  timeoutMs?: number | null;
}

function address(route: Route, params: Values = {}, query: Values = {}): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${path}?${String(search)}` : path;
}

/** An answer may break off in the middle, which is a lost connection like any other. */
async function read<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw new ApiError(0, {}, 'Network error. Please try again.', undefined, error);
  }
}

export interface ResultPage<T> {
  items: T;
  nextCursor: string | null;
}

export interface RouteCaller {
  /**
   * Calls a route of the contract. Rejects with ApiError. If someone else has to agree first, returns the route's
   * accepted reply.
   */
  call<R extends Route>(route: R, options?: CallOptions<R>): Promise<RouteReply<R> | AcceptedReply<R>>;
  /** Calls a list route and returns the cursor of the next page too. */
  callPage<R extends Route>(route: R, options?: CallOptions<R>): Promise<ResultPage<RouteReply<R>>>;
}

/**
 * Returns true if a server of 0.3.0 refused a body because it lacks `content`. Remove in 0.5.0, with the form that is
 * sent then.
 */
function isUnknownForm(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 400) return false;
  const { fields } = error.details;
  return typeof fields === 'object' && fields !== null && 'content' in fields;
}

/** Loads the content of this build, with the first route that carries some, because sign-in needs none. */
const loadContent = async (): Promise<Content> => (await import('../content/content.ts')).content;

/** Creates typed calls of the routes in `@nolo/api`. Content is sealed and opened here. */
export function createRouteCaller(request: SendRequest, given?: Content): RouteCaller {
  function send(route: Route, options: AnyCallOptions, body: object | undefined): Promise<Response> {
    const init: RequestInit = { method: route.method };
    const headers: Record<string, string> = {};
    if (options.signal) init.signal = options.signal;
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      headers['Content-Type'] = 'application/json';
    }
    if (route.opens !== undefined) headers[contentFormHeader] = sealedForm;
    init.headers = headers;
    const { timeoutMs } = options;
    const path = address(route, options.params, options.query);
    return request(path, init, timeoutMs === undefined ? {} : { timeoutMs });
  }

  async function answer(route: Route, options: AnyCallOptions): Promise<{ response: Response; reply: unknown }> {
    const { body } = options;
    const { seals, opens } = route;
    const content = (seals ?? opens) === undefined ? undefined : (given ?? (await loadContent()));
    const sealed = body && content ? await content.sealBody(seals, body) : body;
    const response = await send(route, options, sealed).catch((error: unknown) => {
      if (sealed === body || !content?.codec.isPlain || !isUnknownForm(error)) throw error;
      return send(route, options, body);
    });
    const reply = response.status === 204 ? undefined : await read(response);
    return { response, reply: content ? await content.openReply(opens, reply) : reply };
  }

  return {
    async call(route, options = {}) {
      return (await answer(route, options as AnyCallOptions)).reply as never;
    },
    async callPage(route, options = {}) {
      const { response, reply } = await answer(route, options as AnyCallOptions);
      return { items: reply as never, nextCursor: response.headers.get(nextCursorHeader) };
    },
  };
}
