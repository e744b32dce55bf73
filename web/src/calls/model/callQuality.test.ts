import { maxQualitySamples, sampleBetween, totalsOf, withSample } from './callQuality.ts';

test('two readings make a sample: rates, loss and round trip', () => {
  const before = totalsOf([{ type: 'outbound-rtp', bytesSent: 1_000 }], 0);
  const after = totalsOf(
    [
      { type: 'outbound-rtp', bytesSent: 26_000 },
      { type: 'inbound-rtp', bytesReceived: 50_000, packetsReceived: 90, packetsLost: 10 },
      { type: 'candidate-pair', nominated: true, state: 'succeeded', currentRoundTripTime: 0.04 },
      { type: 'candidate-pair', nominated: false, state: 'succeeded', currentRoundTripTime: 3 },
    ],
    2_000,
  );
  expect(sampleBetween(before, after)).toEqual({
    at: 2_000,
    loss: 0.1,
    roundTripMs: 40,
    sendBitrate: 100_000,
    receiveBitrate: 200_000,
  });
});

test('a restarted connection does not give a negative rate', () => {
  const before = totalsOf([{ type: 'outbound-rtp', bytesSent: 9_000 }], 0);
  expect(sampleBetween(before, totalsOf([{ type: 'outbound-rtp', bytesSent: 10 }], 1_000))).toBeNull();
});

test('only the last two minutes are kept', () => {
  const sample = { at: 0, loss: 0, roundTripMs: 0, sendBitrate: 0, receiveBitrate: 0 };
  let samples: (typeof sample)[] = [];
  for (let at = 0; at <= maxQualitySamples; at += 1) samples = withSample(samples, { ...sample, at });
  expect(samples).toHaveLength(maxQualitySamples);
  expect(samples[0]?.at).toBe(1);
});
