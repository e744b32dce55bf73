import { readChosenDevice } from '../../device/deviceChoice.ts';
import type { RecorderPorts } from './recorder.ts';

/** The browser's microphone and recorder, with the microphone chosen for calls. */
export const browserRecorderPorts: RecorderPorts = {
  async openMicrophone() {
    // Insecure pages have no devices.
    if (!navigator.mediaDevices) throw new DOMException('No media devices are available.', 'NotFoundError');
    const deviceId = readChosenDevice(localStorage, 'microphone');
    const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    return navigator.mediaDevices.getUserMedia({
      audio: { ...audio, ...(deviceId !== null && { deviceId: { ideal: deviceId } }) },
    });
  },
  makeRecorder: (stream, mimeType) => new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType }),
  supports: (mimeType) => MediaRecorder.isTypeSupported(mimeType),
  makeMeter(stream) {
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 1_024, smoothingTimeConstant: 0.4 });
    const source = context.createMediaStreamSource(stream);
    source.connect(analyser);
    // The browser's permission prompt separated this from the press, and a context without a user press waits for one.
    void context.resume().catch(() => undefined);
    const samples = new Float32Array(analyser.fftSize);
    return {
      level() {
        analyser.getFloatTimeDomainData(samples);
        const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
        // Loudness is perceived in decibels: from -60, a quiet room, to 0.
        const decibels = power > 0 ? 10 * Math.log10(power) : -60;
        return Math.min(1, Math.max(0, (decibels + 60) / 60));
      },
      close() {
        source.disconnect();
        void context.close();
      },
    };
  },
  now: () => performance.now(),
  every(ms, task) {
    const timer = setInterval(task, ms);
    return () => clearInterval(timer);
  },
};
