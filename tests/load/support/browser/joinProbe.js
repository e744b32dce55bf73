/* Runs in the page before the app. Records the time of each step of joining on the page's own clock. */
(() => {
  const marks = {};
  const remote = new WeakSet();
  const listened = new WeakSet();
  const asked = new Map();
  globalThis.joinMarks = marks;
  const connections = new Map();
  /** Counts connections that exist before the user joins. */
  globalThis.connectedAtDoor = () =>
    [...connections.keys()].filter(({ connectionState }) => connectionState === 'connected').length;
  // A returning user joins without a click; the time counts from the start of the page.
  if (sessionStorage.getItem('joinProbeReturns') === '1') {
    sessionStorage.removeItem('joinProbeReturns');
    marks.clicked = 0;
  }

  function note(name, at = performance.now()) {
    if (marks.clicked !== undefined) marks[name] ??= at;
  }

  addEventListener(
    'click',
    (event) => {
      if (!event.target.closest?.('button[type=submit]')) return;
      marks.clicked ??= event.timeStamp;
      const isConnected = [...connections].some(
        ([one, { receives }]) => receives && one.connectionState === 'connected',
      );
      if (isConnected) note('connected', event.timeStamp);
    },
    true,
  );

  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (!listened.has(this)) {
      listened.add(this);
      // The app handles the message first; the event's timestamp shows when it arrived.
      this.addEventListener('message', ({ data, timeStamp }) => {
        const { id } = JSON.parse(data);
        if (asked.has(id)) note(`${asked.get(id)} answered`, timeStamp);
      });
    }
    const { type, id } = JSON.parse(text);
    asked.set(id, type);
    note(`${type} asked`);
    return send.call(this, text);
  };

  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      const known = { receives: false };
      connections.set(this, known);
      this.addEventListener('track', ({ track, transceiver }) => {
        known.receives = true;
        // mediasoup's bandwidth probe arrives as a video too, but nobody sends it.
        if (track.kind !== 'video' || transceiver.mid === 'probator') return;
        remote.add(track);
        // A track is muted until its first packet.
        track.addEventListener('unmute', () => note('packet'));
      });
      this.addEventListener('connectionstatechange', () => {
        if (known.receives && this.connectionState === 'connected') note('connected');
      });
    }
  };

  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    if (this.srcObject?.getVideoTracks().some((track) => remote.has(track))) {
      this.requestVideoFrameCallback((_, { presentationTime }) => note('frame', presentationTime));
    }
    return play.call(this);
  };
})();
