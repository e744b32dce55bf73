import { formerRpcPaths } from '../formerNames.ts';
import type { RpcCodec } from './rpcChunks.ts';
import type { RpcDefinition, RpcMethod } from './rpcTypes.ts';

type MessageType = RpcMethod['requestType'];

function codecOf(type: MessageType): RpcCodec {
  const encode = type.encode.bind(type) as (message: unknown) => { finish(): Uint8Array };
  return {
    serialize: (message) => {
      // A view of the finished bytes, which belong to nobody else. `Buffer.from(bytes)` would copy them.
      const bytes = encode(message).finish();
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
    deserialize: (bytes) => type.decode(bytes),
  };
}

/** Method with its paths and codecs. */
export interface RpcRoute {
  readonly name: string;
  readonly method: RpcMethod;
  /** Path, for example `/nolo.chat.v1.ChatService/SendMessage`. */
  readonly path: string;
  /** Path under which 0.3.0 calls the method, if it differs. */
  readonly formerPath: string | undefined;
  readonly request: RpcCodec;
  readonly response: RpcCodec;
}

/** Returns the routes of all methods of a service. */
export function routesOf({ fullName, methods }: RpcDefinition): RpcRoute[] {
  return Object.entries(methods).map(([name, method]) => {
    const path = `/${fullName}/${method.name}`;
    return {
      name,
      method,
      path,
      formerPath: formerRpcPaths[path],
      request: codecOf(method.requestType),
      response: codecOf(method.responseType),
    };
  });
}
