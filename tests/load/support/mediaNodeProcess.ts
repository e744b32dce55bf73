/**
 * Runs a normal media node, except for the transports of synthetic participants: while these join, a participant gets
 * plain RTP with SRTP in place of WebRTC, because no browser is there for the handshake. Rooms, peers, consumers, views
 * and voices are the service's own.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { loadConfig } from '@nolo/kit/config';
import { createLog } from '@nolo/kit/log';
import type { types } from 'mediasoup';
import { createMediaApp, type MediaApp } from '../../../services/media-sfu/src/app.ts';
import { configSchema } from '../../../services/media-sfu/src/config.ts';
import { socketBuffers } from '../../../services/media-sfu/src/media/socketBuffers.ts';
import type { MediaNodeCommand } from './forks.ts';

const plain = new Map<string, types.PlainTransport>();
let app: MediaApp | undefined;
let synthetic = true;

async function plainTransport(router: types.Router): Promise<types.WebRtcTransport> {
  const transport = await router.createPlainTransport({
    listenInfo: { protocol: 'udp', ip: '127.0.0.1', ...socketBuffers },
    enableSrtp: true,
    srtpCryptoSuite: 'AEAD_AES_256_GCM',
  });
  plain.set(transport.id, transport);
  const { localAddress: ip, localPort: port } = transport.tuple;
  // Synthetic clients find their data in the fields of a WebRTC transport.
  const transportFields = {
    iceParameters: {},
    iceCandidates: [{ ip, port }],
    dtlsParameters: { srtpParameters: transport.srtpParameters },
    iceState: 'new',
    dtlsState: 'new',
  };
  for (const [name, value] of Object.entries(transportFields)) Object.defineProperty(transport, name, { value });
  return transport as unknown as types.WebRtcTransport;
}

function replaceTransports(router: types.Router): void {
  const create = router.createWebRtcTransport.bind(router);
  Object.defineProperty(router, 'createWebRtcTransport', {
    value: async (options: types.WebRtcTransportOptions) =>
      synthetic ? await plainTransport(router) : await create(options),
  });
}

async function start(variables: Record<string, string>): Promise<number> {
  const log = createLog({ service: 'media-sfu', level: 'warn' });
  app = createMediaApp({ config: loadConfig(configSchema, variables), log });
  await app.start();
  const [worker] = app.pool?.workers ?? [];
  if (!worker) throw new Error('No media worker was started.');
  worker.worker.observer.on('newrouter', replaceTransports);
  return worker.worker.pid;
}

/** Starts a server that receives the other end of a synthetic participant's transport. Returns its port. */
async function openConnectServer(): Promise<number> {
  const connectServer = createServer((incoming, outgoing) => {
    json(incoming)
      .then(async (transportFields) => {
        const { transportId, ip, port, srtpParameters } = transportFields as {
          transportId: string;
          ip: string;
          port: number;
          srtpParameters: types.SrtpParameters;
        };
        await plain.get(transportId)?.connect({ ip, port, srtpParameters });
        outgoing.end();
      })
      .catch((error: unknown) => outgoing.writeHead(500).end(String(error)));
  });
  connectServer.listen(0, '127.0.0.1');
  await once(connectServer, 'listening');
  return (connectServer.address() as AddressInfo).port;
}

async function answer(question: MediaNodeCommand): Promise<number> {
  switch (question.ask) {
    case 'start':
      return await start(question.variables);
    case 'synthetic':
      synthetic = question.on;
      return 0;
    case 'address':
      return await openConnectServer();
  }
}

process.on('message', (question: MediaNodeCommand) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
