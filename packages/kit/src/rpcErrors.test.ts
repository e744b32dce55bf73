import { Metadata, status } from '@grpc/grpc-js';
import { fromServiceError } from './rpcErrors.ts';

test.each([
  ['a service that is away', status.UNAVAILABLE, 'No connection established', 'unavailable'],
  ['a version that does not know the call', status.UNIMPLEMENTED, 'The server does not implement it', 'unavailable'],
  [
    'a connection that ended under the call',
    status.INTERNAL,
    'Received RST_STREAM with code 0 (Call ended without gRPC status)',
    'unavailable',
  ],
  ['what nobody foresaw', status.INTERNAL, 'Request message serialization failure', 'internal'],
])('%s is told as what it is', (_, code, details, kind) => {
  const error = Object.assign(new Error(details), { code, details, metadata: new Metadata() });
  expect(fromServiceError(error).kind).toBe(kind);
});
