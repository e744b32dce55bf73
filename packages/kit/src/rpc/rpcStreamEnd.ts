/**
 * Marker of a complete request stream.
 *
 * gRPC has no reliable one: Node's HTTP/2 cancels a stream by first ending it properly and then resetting it. Between
 * the two frames, a caller that aborts looks like one that has finished, and half an upload would pass for a whole one.
 * Clients therefore send one more message, a single zero byte, which no protobuf message can be (field number 0 is
 * illegal). A stream that ends without it was aborted.
 */
const marker = Buffer.of(0);

export const endOfRequestsMarker = Symbol('end of requests');

export function serializeWithEnd(serialize: (value: unknown) => Buffer): (value: unknown) => Buffer {
  return (value) => (value === endOfRequestsMarker ? marker : serialize(value));
}

export function deserializeWithEnd(deserialize: (bytes: Buffer) => unknown): (bytes: Buffer) => unknown {
  return (bytes) => (bytes.equals(marker) ? endOfRequestsMarker : deserialize(bytes));
}
