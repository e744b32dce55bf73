import type { Log } from './log.ts';

/** Of a single message, both ways. Larger things are streamed. */
export const maxMessageBytes = 4 * 1024 * 1024;

/** In seconds, for histograms of calls on both sides, so that they can be laid over each other. */
export const rpcBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * One method as ts-proto writes it with `outputServices=grpc-js`. The two stream flags are literal
 * types there, which is what lets the shapes below be told apart.
 */
export interface RpcMethod {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  // Method syntax on purpose: it is checked bivariantly, so that a serializer of one message is a
  // serializer here.
  requestSerialize(value: never): Buffer;
  requestDeserialize(value: Buffer): unknown;
  responseSerialize(value: never): Buffer;
  responseDeserialize(value: Buffer): unknown;
}

/** A generated service definition, such as `ChatService`. */
export type RpcDefinition = Readonly<Record<string, RpcMethod>>;

export type RequestOf<Method extends RpcMethod> = ReturnType<Method['requestDeserialize']>;
export type ReplyOf<Method extends RpcMethod> = ReturnType<Method['responseDeserialize']>;

export interface RpcContext {
  /** Follows one request of a person through all services; it is in every line of `log`. */
  requestId: string;
  log: Log;
  /** Aborted when the caller gives up or its deadline passes. */
  signal: AbortSignal;
}

/**
 * What a handler looks like, by the method's kind: a message comes as a value, a stream as an
 * async iterable, in both directions.
 */
export type RpcHandler<Method extends RpcMethod> = Method extends { requestStream: true; responseStream: true }
  ? never
  : Method extends { requestStream: true }
    ? (requests: AsyncIterable<RequestOf<Method>>, context: RpcContext) => Promise<ReplyOf<Method>>
    : Method extends { responseStream: true }
      ? (request: RequestOf<Method>, context: RpcContext) => AsyncIterable<ReplyOf<Method>>
      : (request: RequestOf<Method>, context: RpcContext) => Promise<ReplyOf<Method>>;

/** One handler for each method of a service; a missing one is a type error. */
export type RpcHandlers<Definition extends RpcDefinition> = {
  readonly [Name in keyof Definition]: RpcHandler<Definition[Name]>;
};

export interface RpcCallOptions {
  /** Passed on, so that one request can be followed; a new one is made if missing. */
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

/** What createClient makes: one function per method, and close(). */
export type RpcClient<Definition extends RpcDefinition> = {
  readonly [Name in keyof Definition]: RpcCall<Definition[Name]>;
} & {
  /** Calls under way fail as unavailable. Idempotent. */
  close(): void;
};
