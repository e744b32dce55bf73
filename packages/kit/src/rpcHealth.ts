import {
  status,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js';

/** As grpc.health.v1 numbers them. */
const states = { serving: 1, notServing: 2, unknown: 3 } as const;
type State = (typeof states)[keyof typeof states];

interface HealthRequest {
  /** Empty where all of the process is meant. */
  service: string;
}

/** Field 1 of a request is the name of a service. Names are short: one byte says how long one is. */
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
 * What gRPC itself specifies of health (grpc.health.v1): probes ask by it whether a process takes calls. It is written out
 * here because the package for it reads its proto with a parser at each start, which takes longer than all else of it.
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
        else answer({ code: status.NOT_FOUND, details: `There is no service ${request.service} here.` });
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

  /** No more calls are to come: whoever asks or watches is told so. */
  leave(): void {
    this.#state = states.notServing;
    for (const watcher of this.#watchers) watcher.write(this.#state);
  }
}
