import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type ServiceDefinition,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { Histogram, type Registry } from 'prom-client';
import { addressOf, reveal, type Listen, type Secret } from './config.ts';
import type { AppError } from './errors.ts';
import { fail } from './errors.ts';
import { newId } from './ids.ts';
import type { Log } from './log.ts';
import { withinDeadline } from './rpcDeadline.ts';
import { reportError, toStatus, wrongSecret } from './rpcErrors.ts';
import { RpcHealth } from './rpcHealth.ts';
import { withChunks } from './rpcChunks.ts';
import { deserializeWithEnd, endOfRequests } from './rpcStreamEnd.ts';
import {
  maxMessageBytes,
  rpcBuckets,
  type RpcContext,
  type RpcDefinition,
  type RpcHandlers,
  type RpcMethod,
} from './rpcTypes.ts';
import { isTracing, startSpan, within, type Span } from './tracing.ts';

type Serialize = (value: unknown) => Buffer;

/** The method with what streams need besides: an end that can be trusted, and chunks that are not copied about. */
function streaming(method: RpcMethod): RpcMethod {
  const { requestDeserialize, responseDeserialize } = method;
  if (method.requestStream) {
    const serialize = method.requestSerialize as unknown as Serialize;
    const { deserialize } = withChunks({ serialize, deserialize: requestDeserialize });
    return { ...method, requestDeserialize: deserializeWithEnd(deserialize) };
  }
  if (!method.responseStream) return method;
  const serialize = method.responseSerialize as unknown as Serialize;
  const codec = withChunks({ serialize, deserialize: responseDeserialize });
  return { ...method, responseSerialize: codec.serialize };
}

export interface RpcService {
  readonly definition: RpcDefinition;
  readonly handlers: Readonly<Record<string, unknown>>;
}

/** Ties handlers to their definition, so that the compiler checks them against each other. */
export function rpcService<Definition extends RpcDefinition>(
  definition: Definition,
  handlers: RpcHandlers<Definition>,
): RpcService {
  return { definition, handlers };
}

export interface ServeRpcOptions {
  listen: Listen;
  secret: string | Secret;
  log: Log;
  services: readonly RpcService[];
  metrics?: Registry;
  /** After which a connection is ended, gracefully; 30 to 60 s by default. */
  connectionAgeMs?: number;
  /** Of one connection, which is one client of one process. */
  mostInFlight?: number;
}

/**
 * A client asks anew behind which addresses a service stands when a connection ends. Without an end a replica that is
 * added gets no work; all at the same age, all would come at the same time.
 */
const usualConnectionAgeMs = () => 30_000 + Math.random() * 30_000;

/** As long as a stream may take: what is under way on a connection that ends is not cut off. */
const connectionGraceMs = 600_000;

/** Far more than a healthy caller has; a caller that piles up calls gets an answer, and leaves the others theirs. */
const usualMostInFlight = 1_000;

export interface RpcServer {
  port: number;
  /** Says NOT_SERVING to whoever asks gRPC health, and lets calls under way finish for up to 5 s. Idempotent. */
  stop(): Promise<void>;
}

/** What the handlers see of a call, whichever of the three kinds it is. */
interface IncomingCall {
  metadata: Metadata;
  cancelled: boolean;
  getDeadline(): Date | number;
  getPeer(): string;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** The requests of a stream; throws where it was broken off (see rpcStreamEnd.ts). */
async function* complete(requests: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const request of requests) {
    if (request === endOfRequests) return;
    yield request;
  }
  throw fail('unavailable', 'cancelled', 'The caller broke off.');
}

/** What a handler learns of its call. Log and signal are made when they are asked for, which few handlers do. */
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

/** Counts calls by connection, and says when one has too many. */
function createInFlight(most: number) {
  const counts = new Map<string, number>();
  return {
    /** Undefined where it is one too many; else what says that it is over. */
    begin(peer: string): (() => void) | undefined {
      const count = counts.get(peer) ?? 0;
      if (count >= most) return undefined;
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
  fail('unavailable', 'service_busy', 'A part of the system has too much to do right now.', undefined, {
    retryAfterMs: 1_000,
  });

function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

type Handle = ReturnType<typeof createGate>;

/**
 * What every call passes: the shared secret, a request id, a clock, and the mapping of errors. In what is returned `work`
 * answers, and `refuse` tells the caller what went wrong.
 */
function createGate(options: ServeRpcOptions) {
  const expected = digest(`Bearer ${reveal(options.secret)}`);
  const seconds = options.metrics
    ? new Histogram({
        name: 'nolo_rpc_server_seconds',
        help: 'How long internal calls took, by method and outcome.',
        labelNames: ['method', 'code'] as const,
        buckets: rpcBuckets,
        registers: [options.metrics],
      })
    : undefined;

  const inFlight = createInFlight(options.mostInFlight ?? usualMostInFlight);
  const isAdmitted = (call: IncomingCall): boolean => {
    const given = call.metadata.get('authorization')[0];
    // Hashing first makes both sides the same length, which the constant-time comparison needs.
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
    // Only who has the secret is believed about the trace, and whether it is kept.
    const span = admitted && isTracing() ? beginCall(call, method) : undefined;
    const over = inFlight.begin(call.getPeer());
    await within(span, async () => {
      try {
        if (!admitted) throw fail('unauthenticated', wrongSecret, 'This internal call carries no valid secret.');
        if (!over) throw serviceBusy();
        await withinDeadline(Number(call.getDeadline()), () => work(context));
        end?.({ code: 'OK' });
      } catch (error) {
        const known = reportError(error, context.log);
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

/** Handlers of the three kinds, as the library calls them. */
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
            // A reader that is slower than the source is waited for, not buffered for.
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
 * Starts the server for one process's services, with gRPC health beside them.
 *
 * Every call passes the same gate: the shared secret, a request id, a clock, and the mapping of
 * errors. AppErrors travel as they are; outages of storage and cache are recognised; anything else
 * is logged once, here, and leaves as 'internal_error' without its inside.
 */
export async function serveRpc(options: ServeRpcOptions): Promise<RpcServer> {
  const { unary, clientStream, serverStream } = createKinds(createGate(options));
  const server = new Server({
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
    'grpc.keepalive_time_ms': 20_000,
    'grpc.keepalive_timeout_ms': 5000,
    'grpc.max_connection_age_ms': options.connectionAgeMs ?? usualConnectionAgeMs(),
    'grpc.max_connection_age_grace_ms': connectionGraceMs,
  });
  for (const { definition, handlers } of options.services) {
    const implementation: Record<string, UntypedHandleCall> = {};
    const methods: Record<string, RpcMethod> = {};
    for (const [name, method] of Object.entries(definition)) {
      const handler = handlers[name];
      if (typeof handler !== 'function') throw new Error(`${method.path} has no handler.`);
      // rpcService() checked the handler against the definition; here only its kind still matters.
      const label = method.path.replace(/^\//, '');
      const kind = method.requestStream ? clientStream : method.responseStream ? serverStream : unary;
      implementation[name] = kind(label, handler as never) as UntypedHandleCall;
      methods[name] = streaming(method);
    }
    server.addService(methods as unknown as ServiceDefinition, implementation as UntypedServiceImplementation);
  }
  const health = new RpcHealth();
  health.addTo(server);

  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(addressOf(options.listen), ServerCredentials.createInsecure(), (error, bound) =>
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
