import { once } from 'node:events';
import {
  Client,
  connectivityState,
  credentials,
  Metadata,
  type CallOptions,
  type ChannelOptions,
  type ClientUnaryCall,
  type ClientWritableStream,
  status,
  type ServiceError,
  type requestCallback,
} from '@grpc/grpc-js';
import { Histogram, type Registry } from 'prom-client';
import { formatHostPort, reveal, type HostPort, type Secret } from '../config.ts';
import { newId } from '../ids.ts';
import { deadlineAfter } from './rpcDeadline.ts';
import { fromServiceError } from './rpcErrors.ts';
import { withFastChunks } from './rpcChunks.ts';
import { routesOf } from './rpcCodecs.ts';
import { endOfRequestsMarker, serializeWithEnd } from './rpcStreamEnd.ts';
import { maxMessageBytes, rpcBuckets, type RpcCallOptions, type RpcClient, type RpcDefinition } from './rpcTypes.ts';
import type { Span } from '../telemetry/spans.ts';
import { startSpan } from '../telemetry/tracing.ts';

export interface ClientOptions {
  secret: string | Secret;
  /** Timeout of a reply. Default: 5 s; never later than the deadline of the call that the handler is serving. */
  timeoutMs?: number;
  metrics?: Registry;
  /**
   * Called when an established connection broke and could not be reestablished. The client then connects immediately
   * instead of at the first call. Reports a peer that died on a live machine within milliseconds.
   */
  onLost?: () => void;
}

/** Timeout of a whole stream: a slow connection may carry a large file. */
const streamTimeoutMs = 600_000;

function iteratorOf(items: AsyncIterable<unknown> | Iterable<unknown>): AsyncIterator<unknown> | Iterator<unknown> {
  return Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'metadata' in error;
}

function rebuilt(error: unknown): unknown {
  return isServiceError(error) ? fromServiceError(error) : error;
}

/** Idle time after which a connection is closed. The next call reopens it within milliseconds. */
const idleMs = 20_000;

/** Watches the connection of a client until it is closed; see ClientOptions.onLost. */
function watchConnection(client: Client, onLost: () => void): void {
  const channel = client.getChannel();
  let stood = false;
  const checkConnectivity = () => {
    if (channel.getConnectivityState(false) === connectivityState.SHUTDOWN) return;
    // `true` asks the channel to connect if it is idle, and otherwise changes nothing.
    const state = channel.getConnectivityState(true);
    if (state === connectivityState.READY) stood = true;
    if (state === connectivityState.TRANSIENT_FAILURE && stood) {
      stood = false;
      onLost();
      // The callback may have closed the client.
      if (channel.getConnectivityState(false) === connectivityState.SHUTDOWN) return;
    }
    channel.watchConnectivityState(state, Infinity, checkConnectivity);
  };
  checkConnectivity();
}

/** Call in progress, measured and traced. */
interface Watched {
  readonly span: Span | undefined;
  ended(error?: unknown): void;
}

/**
 * Returns the metrics hook of calls. All clients of a process share one histogram; the method identifies the service.
 */
function watchCalls(registry: Registry | undefined): (method: string) => Watched {
  const name = 'nolo_rpc_client_seconds';
  const seconds =
    registry &&
    ((registry.getSingleMetric(name) as Histogram<'method' | 'code'> | undefined) ??
      new Histogram({
        name,
        help: 'Duration of calls to other services, including the wait for a connection, by method and outcome, in seconds.',
        labelNames: ['method', 'code'] as const,
        buckets: rpcBuckets,
        registers: [registry],
      }));
  return (method) => {
    const begun = performance.now();
    const span = startSpan(method, { kind: 'client', attributes: { 'rpc.system': 'grpc', 'rpc.method': method } });
    let over = false;
    return {
      span,
      ended(error) {
        if (over) return;
        over = true;
        const code = error === undefined ? 'OK' : (isServiceError(error) && status[error.code]) || 'UNKNOWN';
        seconds?.observe({ method, code }, (performance.now() - begun) / 1000);
        if (error !== undefined) {
          span?.set({ 'rpc.grpc.status_code': code });
          span?.fail(code);
        }
        span?.end();
      },
    };
  };
}

const channelOptions = ({ onLost }: Pick<ClientOptions, 'onLost'>): ChannelOptions => ({
  'grpc.max_receive_message_length': maxMessageBytes,
  'grpc.max_send_message_length': maxMessageBytes,
  // Detects a peer that vanished silently (a pulled cable, a frozen process).
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  'grpc.keepalive_permit_without_calls': 1,
  // Drops idle connections, so that they are not reopened whenever the other side finds them too old. Connections with
  // a loss watcher stay.
  ...(onLost ? {} : { 'grpc.client_idle_timeout_ms': idleMs }),
  // Finds a returning service within a second, instead of gRPC's two minutes.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.min_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.dns_min_time_between_resolutions_ms': 1000,
  'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
  // Internal calls stay internal, regardless of HTTP_PROXY.
  'grpc.enable_http_proxy': 0,
});

/** Cancels a call when the caller's signal aborts. The returned function undoes this. */
const cancelOn = (signal: AbortSignal | undefined, call: { cancel(): void }): (() => void) => {
  if (!signal) return () => undefined;
  const cancel = () => call.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => signal.removeEventListener('abort', cancel);
};

/** Converts the library's callback to a promise, and ties the signal to the call meanwhile. */
const start = <Call extends ClientUnaryCall>(
  call: RpcCallOptions,
  watched: Watched,
  begin: (done: requestCallback<unknown>) => Call,
): { reply: Promise<unknown>; started: Call } => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  let release = () => {};
  const started = begin((error, reply) => {
    release();
    watched.ended(error ?? undefined);
    if (error) reject(fromServiceError(error));
    else resolve(reply);
  });
  release = cancelOn(call.signal, started);
  return { reply: promise, started };
};

/** Sends the items of a source until the service has enough. */
async function sendAll(
  requests: AsyncIterable<unknown> | Iterable<unknown>,
  stream: ClientWritableStream<unknown>,
  reply: Promise<unknown>,
): Promise<void> {
  // The service may answer or refuse before it has read everything, while the source waits for a slow connection. The
  // failure itself is thrown at the end.
  const answered = reply.then(
    () => undefined,
    () => undefined,
  );
  stream.on('error', () => undefined);
  const source = iteratorOf(requests);
  try {
    for (;;) {
      // `answered` comes first: a source that always has more items would otherwise win every race.
      const step = await Promise.race([answered, source.next()]);
      if (step === undefined) {
        // Deliberately not awaited: a generator ends only after its pending step does.
        void Promise.resolve(source.return?.()).catch(() => undefined);
        break;
      }
      if (step.done) {
        stream.write(endOfRequestsMarker);
        stream.end();
        break;
      }
      if (!stream.write(step.value)) await Promise.race([once(stream, 'drain'), answered]);
    }
  } catch (error) {
    stream.cancel();
    throw error;
  }
}

/**
 * Creates a client of one service: `client.sendMessage(request, { requestId })`. An AppError that the service throws is
 * thrown here as AppError. A service that is down or silent is AppError unavailable, immediately or at the deadline,
 * never an endless wait.
 *
 * @param address `host:port`; a name with several replicas resolves to all of them,
 *   and calls are balanced.
 */
export function createClient<Definition extends RpcDefinition>(
  definition: Definition,
  address: string | HostPort,
  options: ClientOptions,
): RpcClient<Definition> {
  const timeoutMs = options.timeoutMs ?? 5000;
  const authorization = `Bearer ${reveal(options.secret)}`;
  const channel = new Client(
    typeof address === 'string' ? address : formatHostPort(address),
    credentials.createInsecure(),
    channelOptions(options),
  );

  if (options.onLost) watchConnection(channel, options.onLost);
  const watch = watchCalls(options.metrics);
  const metadataFor = (call: RpcCallOptions, span: Span | undefined): Metadata => {
    const metadata = new Metadata();
    metadata.set('authorization', authorization);
    metadata.set('x-request-id', call.requestId ?? newId());
    if (span) metadata.set('traceparent', span.traceparent);
    return metadata;
  };
  const deadlineIn = (ms: number): CallOptions => ({ deadline: deadlineAfter(ms) });

  const client: Record<string, unknown> = { close: () => channel.close() };
  for (const route of routesOf(definition)) {
    const { name, method } = route;
    const { path } = route;
    const label = path.slice(1);
    const { serialize } = route.request;
    const { deserialize } = route.response;

    if (method.requestStream) {
      const requestCodec = withFastChunks(route.request);
      client[name] = async (requests: AsyncIterable<unknown> | Iterable<unknown>, call: RpcCallOptions = {}) => {
        const watched = watch(label);
        const { reply, started: stream } = start(call, watched, (done) =>
          channel.makeClientStreamRequest(
            path,
            serializeWithEnd(requestCodec.serialize),
            deserialize,
            metadataFor(call, watched.span),
            deadlineIn(call.timeoutMs ?? streamTimeoutMs),
            done,
          ),
        );
        await sendAll(requests, stream, reply);
        return reply;
      };
    } else if (method.responseStream) {
      const replyCodec = withFastChunks(route.response);
      client[name] = async function* (request: unknown, call: RpcCallOptions = {}) {
        const watched = watch(label);
        const stream = channel.makeServerStreamRequest(
          path,
          serialize,
          replyCodec.deserialize,
          request,
          metadataFor(call, watched.span),
          deadlineIn(call.timeoutMs ?? streamTimeoutMs),
        );
        const release = cancelOn(call.signal, stream);
        try {
          yield* stream as AsyncIterable<unknown>;
        } catch (error) {
          watched.ended(error);
          throw rebuilt(error);
        } finally {
          release();
          watched.ended();
          // Leaving the loop early must also end the work on the other side. The library then reports the cancellation
          // to remaining listeners.
          stream.on('error', () => undefined);
          stream.cancel();
        }
      };
    } else {
      client[name] = (request: unknown, call: RpcCallOptions = {}) => {
        const watched = watch(label);
        return start(call, watched, (done) =>
          channel.makeUnaryRequest(
            path,
            serialize,
            deserialize,
            request,
            metadataFor(call, watched.span),
            deadlineIn(call.timeoutMs ?? timeoutMs),
            done,
          ),
        ).reply;
      };
    }
  }
  return client as RpcClient<Definition>;
}
