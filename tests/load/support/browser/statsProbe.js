/* Runs in the page before the app, and remembers its connections, to ask them how well they receive. */
(() => {
  const connections = [];
  globalThis.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(...options) {
      super(...options);
      connections.push(this);
    }
  };
  /**
   * Sums over everything that is received, by kind. Not over what only probes the bandwidth: a media worker counts these
   * packets on for all of its receivers together, so that each misses those that went to the others.
   */
  globalThis.received = async () => {
    const sums = { audio: {}, video: {} };
    for (const connection of connections) {
      if (connection.connectionState === 'closed') continue;
      for (const stat of (await connection.getStats()).values()) {
        if (stat.type !== 'inbound-rtp' || stat.mid === 'probator') continue;
        const sum = sums[stat.kind];
        for (const [name, value] of Object.entries(stat)) {
          if (typeof value === 'number') sum[name] = (sum[name] ?? 0) + value;
        }
      }
    }
    return sums;
  };

  /** Videos of others: since when they are there, and when they showed a picture. */
  const shown = new Map();
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function () {
    const [track] = this.srcObject?.getVideoTracks() ?? [];
    const isRemote = connections.some((one) => one.getReceivers().some((receiver) => receiver.track === track));
    if (isRemote && !shown.has(this)) {
      const times = [];
      shown.set(this, { began: performance.now(), times });
      const next = (_, { presentationTime }) => {
        times.push(presentationTime);
        if (this.isConnected) this.requestVideoFrameCallback(next);
      };
      this.requestVideoFrameCallback(next);
    }
    return play.call(this);
  };
  /**
   * Pictures that reached the screen since an earlier moment of `performance.now()`, and freezes among them: gaps that are
   * as much longer than usual as the standard's freezeCount wants it (https://www.w3.org/TR/webrtc-stats/#dom-rtcinboundrtpstreamstats-freezecount).
   * Whoever came to the page meanwhile, since they speak, is looked at from then on.
   */
  globalThis.shownSince = (from) => {
    const sum = { videos: 0, pictures: 0, freezes: 0, frozenMs: 0, longestMs: 0 };
    const now = performance.now();
    for (const [video, { began, times: all }] of shown) {
      if (!video.isConnected) continue;
      const since = Math.max(from, began);
      const times = [since, ...all.filter((time) => time >= since), now];
      const gaps = times.slice(1).map((time, index) => time - times[index]);
      const usual = (now - since) / Math.max(1, times.length - 2);
      const frozen = gaps.filter((gap) => gap > Math.max(3 * usual, usual + 150));
      sum.videos += 1;
      sum.pictures += times.length - 2;
      sum.freezes += frozen.length;
      sum.frozenMs += frozen.reduce((ms, gap) => ms + gap, 0);
      sum.longestMs = Math.max(sum.longestMs, ...gaps);
    }
    return sum;
  };
})();
