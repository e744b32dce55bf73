/* Runs in the page before the app, and notes on the page's own clock when each step of joining happened. */
(() => {
  const marks = {};
  const remote = new WeakSet();
  const listened = new WeakSet();
  const asked = new Map();
  globalThis.joinMarks = marks;

  function note(name, at = performance.now()) {
    if (marks.clicked !== undefined) marks[name] ??= at;
  }

  addEventListener(
    'click',
    (event) => {
      if (event.target.closest?.('button[type=submit]')) marks.clicked ??= event.timeStamp;
    },
    true,
  );

  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    if (!listened.has(this)) {
      listened.add(this);
      this.addEventListener('message', ({ data }) => {
        const { id } = JSON.parse(data);
        if (asked.has(id)) note(`${asked.get(id)} answered`);
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
      let receives = false;
      this.addEventListener('track', ({ track }) => {
        receives = true;
        if (track.kind !== 'video') return;
        remote.add(track);
        // A track is muted until the first packet of it.
        track.addEventListener('unmute', () => note('packet'));
      });
      this.addEventListener('connectionstatechange', () => {
        if (receives && this.connectionState === 'connected') note('connected');
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
