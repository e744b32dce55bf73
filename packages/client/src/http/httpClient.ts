import type { AcceptedReply, RouteBodyInput, RouteParams, RouteQueryInput, RouteReply, Route } from '@nolo/api';
import { nextCursorHeader } from '@nolo/api';
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

/** Creates typed calls of the routes in `@nolo/api`. */
export function createRouteCaller(request: SendRequest): RouteCaller {
  function send<R extends Route>(route: R, options: CallOptions<R>): Promise<Response> {
    const init: RequestInit = { method: route.method };
    if (options.signal) init.signal = options.signal;
    if (options.body !== undefined) {
      init.body = JSON.stringify(options.body);
      init.headers = { 'Content-Type': 'application/json' };
    }
    const { timeoutMs } = options;
    const path = address(route, options.params as Values, options.query as Values);
    return request(path, init, timeoutMs === undefined ? {} : { timeoutMs });
  }

  return {
    async call(route, options = {}) {
      const response = await send(route, options);
      return response.status === 204 ? (undefined as never) : read(response);
    },
    async callPage(route, options = {}) {
      const response = await send(route, options);
      return { items: await read(response), nextCursor: response.headers.get(nextCursorHeader) };
    },
  };
}
