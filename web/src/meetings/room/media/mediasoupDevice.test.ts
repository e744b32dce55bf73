import { Device, type types } from 'mediasoup-client';
import {
  generateConsumerRemoteParameters,
  generateLocalDtlsParameters,
  generateNativeRtpCapabilities,
  generateRouterRtpCapabilities,
  generateTransportRemoteParameters,
} from 'mediasoup-client/fakeParameters';
import { FakeHandler } from 'mediasoup-client/handlers/FakeHandler';
import type { ConsumerOptions, MediaSession } from '@nolo/api';
import type { MediaFrameTransforms } from './frames/mediaFrameTransforms.ts';
import { createMediaDevice } from './mediasoupDevice.ts';
import type { MediaLinkHost } from '@nolo/client/rooms/ports';

const consumerOf = (id: string): ConsumerOptions =>
  ({
    ...generateConsumerRemoteParameters({ id, codecMimeType: 'audio/opus' }),
    participantId: 'ann',
    source: 'microphone',
    producerPaused: false,
  }) as unknown as ConsumerOptions;

/** Opens a link over mediasoup-client's own fake of a browser, and collects the consumers that it creates. */
async function openLink() {
  const consumers: types.Consumer[] = [];
  const device = await Device.factory({
    handlerFactory: FakeHandler.createFactory({
      generateNativeRtpCapabilities,
      generateLocalDtlsParameters,
    } as never),
  });
  await device.load({ routerRtpCapabilities: generateRouterRtpCapabilities() });
  const observe = (transport: types.Transport) =>
    transport.observer.on('newconsumer', (consumer) => void consumers.push(consumer));
  device.observer.on('newtransport', observe);
  const frames = { receiver: () => undefined, sender: () => undefined } as unknown as MediaFrameTransforms;
  const [sendTransport, receiveTransport] = [generateTransportRemoteParameters(), generateTransportRemoteParameters()];
  const session = { sendTransport, receiveTransport, iceServers: [], consumers: [], connected: true };
  const host = { changed: () => undefined } as unknown as MediaLinkHost;
  const link = createMediaDevice(device, undefined, frames).open(session as unknown as MediaSession, host);
  return { link, consumers };
}

test('media that is requested again while the browser describes it is described once', async () => {
  const { link, consumers } = await openLink();
  const [first, again] = await Promise.all([link.consume(consumerOf('voice')), link.consume(consumerOf('voice'))]);
  expect(again).toBe(first);
  expect(await link.consume(consumerOf('voice'))).toBe(first);
  expect(consumers.map(({ id }) => id)).toEqual(['voice']);
  link.close();
});

test('media that ends while the browser describes it is not received', async () => {
  const { link, consumers } = await openLink();
  const consuming = link.consume(consumerOf('voice'));
  link.dropConsumer('voice');
  await expect(consuming).rejects.toThrow('ended before');
  expect(consumers.map(({ closed }) => closed)).toEqual([true]);
  link.close();
});
