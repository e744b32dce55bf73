/** @jest-environment jsdom */
import { browserRecorderPorts } from './browserRecorderPorts.ts';

class WaitingContext {
  state = 'suspended';
  createMediaStreamSource() {
    return { connect: () => {}, disconnect: () => {} };
  }
  async resume() {
    this.state = 'running';
  }
  async close() {}
}

test('a meter that starts without a press is resumed, so that the waveform is not flat', () => {
  const contexts: WaitingContext[] = [];
  Object.assign(globalThis, {
    AudioContext: class extends WaitingContext {
      constructor() {
        super();
        contexts.push(this);
      }
    },
    AnalyserNode: class {
      fftSize = 1_024;
      getFloatTimeDomainData(samples: Float32Array) {
        samples.fill(contexts[0]?.state === 'running' ? 0.5 : 0);
      }
    },
  });
  const meter = browserRecorderPorts.makeMeter({} as MediaStream);
  expect(meter.level()).toBeGreaterThan(0.5);
});
