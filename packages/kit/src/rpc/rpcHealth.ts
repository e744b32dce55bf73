import {
  status,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';

/** Enum values of grpc.health.v1. */
const states = { serving: 1, notServing: 2, unknown: 3 } as const;
type State = (typeof states)[keyof typeof states];

interface HealthRequest {
  /** Empty for the whole process. */
  service: string;
}

/** Parses a request. Field 1 is the name of a service; names are short, so one byte holds the length. */
function readRequest(bytes: Buffer): HealthRequest {
  return { service: bytes[0] === 0x0a ? bytes.toString('utf8', 2, 2 + (bytes[1] ?? 0)) : '' };
}

const passOn = (bytes: Buffer) => bytes;
const wire = {
  requestStream: false,
  requestSerialize: passOn,
  requestDeserialize: readRequest,
  responseSerialize: (state: State) => Buffer.from([0x08, state]),
  responseDeserialize: passOn,
};

/**
 * Implements gRPC's health protocol (grpc.health.v1), by which probes check whether a process accepts calls.
 * Hand-written, because the package for it parses its proto at every start, which takes longer than everything else it
 * does.
 */
export class RpcHealth {
  #state: State = states.serving;
  readonly #watchers = new Set<ServerWritableStream<HealthRequest, State>>();

  addTo(server: Server): void {
    const path = '/grpc.health.v1.Health';
    const definition = {
      check: { path: `${path}/Check`, responseStream: false, ...wire },
      watch: { path: `${path}/Watch`, responseStream: true, ...wire },
    };
    server.addService(definition, {
      check: ({ request }: ServerUnaryCall<HealthRequest, State>, answer: sendUnaryData<State>) => {
        if (request.service === '') answer(null, this.#state);
        else answer({ code: status.NOT_FOUND, details: `Unknown service ${request.service}.` });
      },
      watch: (call: ServerWritableStream<HealthRequest, State>) => {
        const knows = call.request.service === '';
        call.write(knows ? this.#state : states.unknown);
        if (!knows) return;
        this.#watchers.add(call);
        call.once('cancelled', () => this.#watchers.delete(call));
      },
    });
  }

  /** Reports to callers and watchers that no more calls are accepted. */
  leave(): void {
    this.#state = states.notServing;
    for (const watcher of this.#watchers) watcher.write(this.#state);
  }
}
