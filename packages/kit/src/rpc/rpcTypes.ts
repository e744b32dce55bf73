import type { Log } from '../telemetry/log.ts';

/** Maximum size of a single message, in both directions. Larger data is streamed. */
export const maxMessageBytes = 4 * 1024 * 1024;

/** Histogram buckets in seconds, the same for clients and servers, so that their calls can be compared. */
export const rpcBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Message type that ts-proto generates. */
interface RpcMessageType {
  // Method syntax on purpose: its parameters are checked bivariantly, so that the encoder of one message is accepted.
  encode(message: never): { finish(): Uint8Array };
  decode(bytes: Uint8Array): unknown;
}

/**
 * Method as ts-proto generates it with `outputServices=generic-definitions`. The two stream flags are literal types
 * there, which distinguishes the shapes below.
 */
export interface RpcMethod {
  readonly name: string;
  readonly requestType: RpcMessageType;
  readonly requestStream: boolean;
  readonly responseType: RpcMessageType;
  readonly responseStream: boolean;
}

/** Generated service definition, such as `ChatServiceDefinition`. */
export interface RpcDefinition {
  readonly fullName: string;
  readonly methods: Readonly<Record<string, RpcMethod>>;
}

export type RequestOf<Method extends RpcMethod> = ReturnType<Method['requestType']['decode']>;
export type ReplyOf<Method extends RpcMethod> = ReturnType<Method['responseType']['decode']>;

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
  readonly [Name in keyof Definition['methods']]: RpcHandler<Definition['methods'][Name]>;
};

export interface RpcCallOptions {
  /** Passed on, so that a request can be traced. Default: a new id. */
  requestId?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

type RpcCall<Method extends RpcMethod> = Method extends { requestStream: true; responseStream: true }
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
  readonly [Name in keyof Definition['methods']]: RpcCall<Definition['methods'][Name]>;
} & {
  /** Closes the client. Calls in progress fail as unavailable. Idempotent. */
  close(): void;
};
