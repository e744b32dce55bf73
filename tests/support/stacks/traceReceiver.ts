import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  attributes: Record<string, string | number | boolean>;
  failed: boolean;
}

export interface TraceReceiver {
  /** Address for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ReceivedSpan[];
  /** Raw bodies of everything received. */
  bodies: Buffer[];
  /** Returns the Authorization header of the latest batch. */
  authorization: () => string | undefined;
  stop(): Promise<void>;
}

/**
 * Parses the fields of a protobuf message, by number: as much of the format as OTLP needs, so that the test reads
 * exactly what was sent.
 */
function fieldsOf(message: Buffer): Map<number, (Buffer | number)[]> {
  const fields = new Map<number, (Buffer | number)[]>();
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag & 7;
    const value = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : varint());
    const number = Math.floor(tag / 8);
    fields.set(number, [...(fields.get(number) ?? []), value]);
  }
  return fields;
}

const messages = (of: Map<number, (Buffer | number)[]>, number: number): Buffer[] =>
  (of.get(number) ?? []).filter((value) => Buffer.isBuffer(value));
const text = (of: Map<number, (Buffer | number)[]>, number: number): string =>
  messages(of, number)[0]?.toString() ?? '';
const hex = (of: Map<number, (Buffer | number)[]>, number: number): string =>
  messages(of, number)[0]?.toString('hex') ?? '';

function attributesOf(pairs: Buffer[]): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    pairs.map((pair) => {
      const fields = fieldsOf(pair);
      const value = fieldsOf(messages(fields, 2)[0] ?? Buffer.alloc(0));
      const [bool, int] = [value.get(2)?.[0], value.get(3)?.[0]];
      return [
        text(fields, 1),
        bool !== undefined ? bool === 1 : typeof int === 'number' ? int : text(value, 1),
      ] as const;
    }),
  );
}

/** opentelemetry/proto/trace/v1/trace.proto, the fields that tests read. */
function spansOf(body: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const ofResource = fieldsOf(resourceSpans);
    const resource = attributesOf(messages(fieldsOf(messages(ofResource, 1)[0] ?? Buffer.alloc(0)), 1));
    return messages(ofResource, 2)
      .flatMap((scopeSpans) => messages(fieldsOf(scopeSpans), 2))
      .map((span) => {
        const fields = fieldsOf(span);
        return {
          service: String(resource['service.name']),
          traceId: hex(fields, 1),
          spanId: hex(fields, 2),
          parentId: hex(fields, 4),
          name: text(fields, 5),
          attributes: attributesOf(messages(fields, 9)),
          failed: messages(fields, 15).some((status) => fieldsOf(status).get(3)?.[0] === 2),
        };
      });
  });
}

/** Starts an OpenTelemetry collector that stores what it receives. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  let authorization: string | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (request.url === '/v1/traces') {
        ({ authorization } = request.headers);
        bodies.push(body);
        spans.push(...spansOf(body));
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/x-protobuf' });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    authorization: () => authorization,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
