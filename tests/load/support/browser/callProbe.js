/* Runs in the page before the app. Records the wall-clock time of each step from the answer to the first sound. */
(() => {
  const marks = {};
  globalThis.callMarks = marks;
  const now = () => performance.timeOrigin + performance.now();
  const note = (name) => {
    marks[name] ??= now();
  };

  addEventListener(
    'click',
    (event) => {
      const button = event.target.closest?.('[role=alertdialog] button');
      if (button?.textContent === 'Answer') marks.clicked ??= performance.timeOrigin + event.timeStamp;
    },
    true,
  );

  const { fetch } = globalThis;
  globalThis.fetch = async (...asked) => {
    const isAnswer = String(asked[0]?.url ?? asked[0]).endsWith('/answer');
    if (isAnswer) note('answer asked');
    const reply = await fetch(...asked);
    if (isAnswer) note('answer known');
    return reply;
  };

  const { getUserMedia } = MediaDevices.prototype;
  MediaDevices.prototype.getUserMedia = async function (wanted) {
    const stream = await getUserMedia.call(this, wanted);
    if (wanted?.audio) note('microphone open');
    return stream;
  };

  /** Waits for the first sound that is more than the silence of a track without input. */
  async function listen(track) {
    const reader = new MediaStreamTrackProcessor({ track }).readable.getReader();
    for (;;) {
      const { value: sound, done } = await reader.read();
      if (done) return;
      const samples = new Float32Array(sound.numberOfFrames);
      sound.copyTo(samples, { planeIndex: 0, format: 'f32-planar' });
      sound.close();
      if (samples.some((sample) => Math.abs(sample) > 0.01)) {
        note('sound');
        await reader.cancel();
        return;
      }
    }
  }

  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      this.addEventListener('track', ({ track }) => {
        if (track.kind !== 'audio') return;
        track.addEventListener('unmute', () => note('packet'));
        void listen(track);
      });
      this.addEventListener('connectionstatechange', () => {
        if (this.connectionState === 'connected') note('connected');
      });
    }
  };
})();
