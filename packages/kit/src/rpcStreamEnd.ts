/**
 * How a stream of requests says that it is complete.
 *
 * gRPC has no word for it that can be trusted: Node's HTTP/2 cancels a stream by first ending it
 * properly and then resetting it, so a caller that breaks off looks, for as long as the two frames
 * are apart, like one that has finished, and half an upload would pass for a whole one. So our
 * clients send one message more, a single zero byte, which no protobuf message can be (field number
 * 0 is illegal); a stream that ends without it was broken off.
 */
const marker = Buffer.of(0);

export const endOfRequests = Symbol('end of requests');

export function serializeWithEnd(serialize: (value: unknown) => Buffer): (value: unknown) => Buffer {
  return (value) => (value === endOfRequests ? marker : serialize(value));
}

export function deserializeWithEnd(deserialize: (bytes: Buffer) => unknown): (bytes: Buffer) => unknown {
  return (bytes) => (bytes.equals(marker) ? endOfRequests : deserialize(bytes));
}
