import { Metadata, status } from '@grpc/grpc-js';
import { fromServiceError } from './rpcErrors.ts';

test.each([
  ['an unreachable service', status.UNAVAILABLE, 'No connection established', 'unavailable'],
  ['a version that does not know the method', status.UNIMPLEMENTED, 'The server does not implement it', 'unavailable'],
  [
    'a connection that was lost during the call',
    status.INTERNAL,
    'Received RST_STREAM with code 0 (Call ended without gRPC status)',
    'unavailable',
  ],
  ['an unexpected error', status.INTERNAL, 'Request message serialization failure', 'internal'],
])('%s is reported as what it is', (_, code, details, kind) => {
  const error = Object.assign(new Error(details), { code, details, metadata: new Metadata() });
  expect(fromServiceError(error).kind).toBe(kind);
});
