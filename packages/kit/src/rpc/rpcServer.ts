import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
  type MethodDefinition,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Histogram, type Registry } from 'prom-client';
import { formatHostPort, reveal, type HostPort, type Secret } from '../config.ts';
import type { AppError } from '../errors.ts';
import { createAppError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../telemetry/log.ts';
import { withInheritedDeadline } from './rpcDeadline.ts';
import { logOutgoingError, toStatus, wrongSecretCode } from './rpcErrors.ts';
import { RpcHealth } from './rpcHealth.ts';
import { withFastChunks } from './rpcChunks.ts';
import { routesOf, type RpcRoute } from './rpcCodecs.ts';
import { deserializeWithEnd, endOfRequestsMarker } from './rpcStreamEnd.ts';
import { maxMessageBytes, rpcBuckets, type RpcContext, type RpcDefinition, type RpcHandlers } from './rpcTypes.ts';
import type { Span } from '../telemetry/spans.ts';
import { isTracing, startSpan, withCurrentSpan } from '../telemetry/tracing.ts';

/** Converts a route to the library's form. Streams get a reliable end, and fewer copies of chunks. */
function toMethodDefinition(route: RpcRoute, path: string): MethodDefinition<unknown, unknown> {
  const { requestStream, responseStream } = route.method;
  const request = requestStream ? withFastChunks(route.request) : route.request;
  const response = responseStream ? withFastChunks(route.response) : route.response;
  return {
    path,
    requestStream,
    responseStream,
    requestSerialize: request.serialize,
    requestDeserialize: requestStream ? deserializeWithEnd(request.deserialize) : request.deserialize,
    responseSerialize: response.serialize,
    responseDeserialize: response.deserialize,
  };
}

export interface RpcService {
  readonly definition: RpcDefinition;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** Binds handlers to their definition, so that the compiler checks them against each other. */
export function bindRpcService<Definition extends RpcDefinition>(
  definition: Definition,
  handlers: RpcHandlers<Definition>,
): RpcService {
  return { definition, handlers };
}

export interface ServeRpcOptions {
  listen: HostPort;
  secret: string | Secret;
  log: Log;
  services: readonly RpcService[];
  metrics?: Registry;
  /** Age after which a connection is ended gracefully. Default: 30 to 60 s. */
  connectionAgeMs?: number;
  /** Maximum calls in progress per connection, which is one client of one process. */
  maxInFlight?: number;
}

/**
 * Returns a random maximum age of connections. Clients resolve a service's addresses again only when a connection ends,
 * so without a maximum an added replica gets no work. With equal ages, all clients would reconnect at the same time.
 */
const pickDefaultConnectionAgeMs = () => 30_000 + Math.random() * 30_000;

/** Grace period of an ending connection. Matches the maximum duration of a stream, so that none is cut off. */
const connectionGraceMs = 600_000;

/** Far above the needs of a healthy caller. A caller that accumulates calls is refused, and does not affect others. */
const defaultMaxInFlight = 1_000;

export interface RpcServer {
  port: number;
  /** Reports NOT_SERVING to gRPC health checks, and lets calls in progress finish for up to 5 s. Idempotent. */
  stop(): Promise<void>;
}

/** Common view of a call for handlers of all three kinds. */
interface IncomingCall {
  metadata: Metadata;
  cancelled: boolean;
  getDeadline(): Date | number;
  getPeer(): string;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** Yields the requests of a stream. Throws if the stream was aborted (see rpcStreamEnd.ts). */
async function* complete(requests: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const request of requests) {
    if (request === endOfRequestsMarker) return;
    yield request;
  }
  throw createAppError('unavailable', 'cancelled', 'The caller cancelled the request.');
}

/** Context of a call for its handler. Log and signal are created on demand, because few handlers need them. */
class CallContext implements RpcContext {
  readonly requestId: string;
  readonly #call: IncomingCall;
  readonly #parentLog: Log;
  readonly #method: string;
  #log: Log | undefined;
  #abort: AbortController | undefined;

  constructor(call: IncomingCall, parentLog: Log, method: string) {
    this.requestId = call.metadata.get('x-request-id')[0]?.toString() || newId();
    this.#call = call;
    this.#parentLog = parentLog;
    this.#method = method;
  }

  get log(): Log {
    return (this.#log ??= this.#parentLog.child({ requestId: this.requestId, method: this.#method }));
  }

  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      if (this.#call.cancelled) abort.abort();
      else this.#call.on('cancelled', () => abort.abort());
    }
    return this.#abort.signal;
  }
}

function beginCall(call: IncomingCall, method: string): Span | undefined {
  const parent = call.metadata.get('traceparent')[0]?.toString();
  if (parent === undefined) return undefined;
  return startSpan(method, { kind: 'server', parent, attributes: { 'rpc.system': 'grpc', 'rpc.method': method } });
}

/** Counts calls per connection, and detects excess ones. */
function createInFlight(max: number) {
  const counts = new Map<string, number>();
  return {
    /** Starts a call. Returns a function that ends it, or undefined if there are too many. */
    begin(peer: string): (() => void) | undefined {
      const count = counts.get(peer) ?? 0;
      if (count >= max) return undefined;
      counts.set(peer, count + 1);
      return () => {
        const left = (counts.get(peer) ?? 1) - 1;
        if (left > 0) counts.set(peer, left);
        else counts.delete(peer);
      };
    },
  };
}

const serviceBusy = () =>
  createAppError(
    'unavailable',
    'service_busy',
    'A part of the system is overloaded right now. Try again in a moment.',
    undefined,
    {
      retryAfterMs: 1_000,
    },
  );

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

type Handle = ReturnType<typeof createGate>;

/**
 * Creates the gate for every call: the shared secret, a request id, a clock, and the mapping of errors. In the result,
 * `work` runs the handler, and `refuse` reports an error to the caller.
 */
function createGate(options: ServeRpcOptions) {
  const expected = digest(`Bearer ${reveal(options.secret)}`);
  const seconds = options.metrics
    ? new Histogram({
        name: 'nolo_rpc_server_seconds',
        help: 'Duration of internal calls by method and outcome, in seconds.',
        labelNames: ['method', 'code'] as const,
        buckets: rpcBuckets,
        registers: [options.metrics],
      })
    : undefined;

  const inFlight = createInFlight(options.maxInFlight ?? defaultMaxInFlight);
  const isAdmitted = (call: IncomingCall): boolean => {
    const given = call.metadata.get('authorization')[0];
    // Hashing makes both sides equally long, as the constant-time comparison requires.
    return given !== undefined && timingSafeEqual(digest(given.toString()), expected);
  };

  return async (
    call: IncomingCall,
    method: string,
    work: (context: RpcContext) => Promise<void>,
    refuse: (error: AppError) => void,
  ): Promise<void> => {
    const end = seconds?.startTimer({ method });
    const context = new CallContext(call, options.log, method);
    const admitted = isAdmitted(call);
    // The trace and its sampling decision are trusted only from callers with the secret.
    const span = admitted && isTracing() ? beginCall(call, method) : undefined;
    const over = inFlight.begin(call.getPeer());
    await withCurrentSpan(span, async () => {
      try {
        if (!admitted)
          throw createAppError('unauthenticated', wrongSecretCode, 'This internal call has no valid secret.');
        if (!over) throw serviceBusy();
        await withInheritedDeadline(Number(call.getDeadline()), () => work(context));
        end?.({ code: 'OK' });
      } catch (error) {
        const known = logOutgoingError(error, context.log);
        const code = status[toStatus(known).code];
        end?.({ code });
        span?.set({ 'rpc.grpc.status_code': code });
        span?.fail(known.code);
        refuse(known);
      }
    });
    over?.();
    span?.end();
  };
}

/** Creates handlers of the three kinds, with the library's signatures. */
function createKinds(handle: Handle) {
  const unary =
    (
      name: string,
      handler: (request: unknown, context: RpcContext) => Promise<unknown>,
    ): handleUnaryCall<unknown, unknown> =>
    (call, callback) =>
      void handle(
        call,
        name,
        async (context) => callback(null, await handler(call.request, context)),
        (error) => callback(toStatus(error)),
      );

  const clientStream =
    (
      name: string,
      handler: (requests: AsyncIterable<unknown>, context: RpcContext) => Promise<unknown>,
    ): handleClientStreamingCall<unknown, unknown> =>
    (call, callback) =>
      void handle(
        call,
        name,
        async (context) => callback(null, await handler(complete(call), context)),
        (error) => callback(toStatus(error)),
      );

  const serverStream =
    (
      name: string,
      handler: (request: unknown, context: RpcContext) => AsyncIterable<unknown>,
    ): handleServerStreamingCall<unknown, unknown> =>
    (call) =>
      void handle(
        call,
        name,
        async (context) => {
          for await (const reply of handler(call.request, context)) {
            if (context.signal.aborted) break;
            // Waits for a reader that is slower than the source, instead of buffering.
            if (!call.write(reply)) await once(call, 'drain', { signal: context.signal });
          }
          call.end();
        },
        (error) => {
          if (!call.cancelled) call.emit('error', toStatus(error));
        },
      );

  return { unary, clientStream, serverStream };
}

/**
 * Starts the server for a process's services, together with gRPC health.
 *
 * Every call passes the same gate: the shared secret, a request id, a clock, and the mapping of errors. AppErrors are
 * passed on unchanged. Outages of storage and cache are recognized. Any other error is logged once, here, and returned
 * as 'internal_error' without details.
 */
export async function serveRpc(options: ServeRpcOptions): Promise<RpcServer> {
  const { unary, clientStream, serverStream } = createKinds(createGate(options));
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5000,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? pickDefaultConnectionAgeMs(),
    'grpc.max_connection_age_grace_ms': connectionGraceMs,
  });
  for (const { definition, handlers } of options.services) {
    const implementation: Record<string, UntypedHandleCall> = {};
    const methods: Record<string, MethodDefinition<unknown, unknown>> = {};
    for (const route of routesOf(definition)) {
      const { name, method, path, formerPath } = route;
      const handler = handlers[name];
      if (typeof handler !== 'function') throw new Error(`${path} has no handler.`);
      // bindRpcService() checked the handler against the definition; from here on only its kind matters.
      const kind = method.requestStream ? clientStream : method.responseStream ? serverStream : unary;
      const handle = kind(path.slice(1), handler as never) as UntypedHandleCall;
      for (const one of [path, ...(formerPath === undefined ? [] : [formerPath])]) {
        implementation[one] = handle;
        methods[one] = toMethodDefinition(route, one);
      }
    }
    server.addService(methods, implementation as UntypedServiceImplementation);
  }
  const health = new RpcHealth();
  health.addTo(server);

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(formatHostPort(options.listen), ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });

  const shutdown = () =>
    new Promise<void>((resolve) => {
      health.leave();
      const timer = setTimeout(() => {
        server.forceShutdown();
        resolve();
      }, 5000);
      server.tryShutdown(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  let stopping: Promise<void> | undefined;
  return {
    port,
    stop: () => (stopping ??= shutdown()),
  };
}
