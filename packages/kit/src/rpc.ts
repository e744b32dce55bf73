/** Internal calls between services: gRPC with types from ts-proto's definitions. */
export { createClient, type ClientOptions } from './rpcClient.ts';
export { packError, reportError, unpackError } from './rpcErrors.ts';
export { rpcService, serveRpc, type RpcServer, type RpcService, type ServeRpcOptions } from './rpcServer.ts';
export type {
  ReplyOf,
  RequestOf,
  RpcCallOptions,
  RpcClient,
  RpcContext,
  RpcDefinition,
  RpcHandler,
  RpcHandlers,
  RpcMethod,
} from './rpcTypes.ts';
export { maxMessageBytes } from './rpcTypes.ts';
