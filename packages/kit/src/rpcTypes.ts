import type { Log } from './log.ts';

/** Maximum size of a single message, in both directions. Larger data is streamed. */
export const maxMessageBytes = 4 * 1024 * 1024;

/** Histogram buckets in seconds, the same for clients and servers, so that their calls can be compared. */
export const rpcBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Method as ts-proto generates it with `outputServices=grpc-js`. The two stream flags are literal types there, which
 * distinguishes the shapes below.
 */
export interface RpcMethod {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // Method syntax on purpose: its parameters are checked bivariantly, so that a serializer of one message is accepted
  // here.
  requestSerialize(value: never): Buffer;
  requestDeserialize(value: Buffer): unknown;
  responseSerialize(value: never): Buffer;
  responseDeserialize(value: Buffer): unknown;
}

/** Generated service definition, such as `ChatService`. */
export type RpcDefinition = Readonly<Record<string, RpcMethod>>;

export type RequestOf<Method extends RpcMethod> = ReturnType<Method['requestDeserialize']>;
export type ReplyOf<Method extends RpcMethod> = ReturnType<Method['responseDeserialize']>;

export interface RpcContext {
  /** Identifies a user's request across all services; included in every line of `log`. */
  requestId: string;
  log: Log;
  /** Aborted when the caller cancels or its deadline passes. */
  signal: AbortSignal;
}

/**
 * Handler type by the method's kind: a single message is a value, a stream is an async iterable, in both directions.
 */
export type RpcHandler<Method extends RpcMethod> = Method extends { requestStream: true; responseStream: true }
  ? never
  : Method extends { requestStream: true }
    ? (requests: AsyncIterable<RequestOf<Method>>, context: RpcContext) => Promise<ReplyOf<Method>>
    : Method extends { responseStream: true }
      ? (request: RequestOf<Method>, context: RpcContext) => AsyncIterable<ReplyOf<Method>>
      : (request: RequestOf<Method>, context: RpcContext) => Promise<ReplyOf<Method>>;

/** Handlers for all methods of a service; a missing one is a type error. */
export type RpcHandlers<Definition extends RpcDefinition> = {
  readonly [Name in keyof Definition]: RpcHandler<Definition[Name]>;
};

export interface RpcCallOptions {
  /** Passed on, so that a request can be traced. Default: a new id. */
  requestId?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

export type RpcCall<Method extends RpcMethod> = Method extends { requestStream: true; responseStream: true }
  ? never
  : Method extends { requestStream: true }
    ? (
        requests: AsyncIterable<RequestOf<Method>> | Iterable<RequestOf<Method>>,
        options?: RpcCallOptions,
      ) => Promise<ReplyOf<Method>>
    : Method extends { responseStream: true }
      ? (request: RequestOf<Method>, options?: RpcCallOptions) => AsyncIterable<ReplyOf<Method>>
      : (request: RequestOf<Method>, options?: RpcCallOptions) => Promise<ReplyOf<Method>>;

/** Client that createClient returns: one function per method, and close(). */
export type RpcClient<Definition extends RpcDefinition> = {
  readonly [Name in keyof Definition]: RpcCall<Definition[Name]>;
} & {
  /** Closes the client. Calls in progress fail as unavailable. Idempotent. */
  close(): void;
};
